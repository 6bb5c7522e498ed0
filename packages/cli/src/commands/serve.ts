/** `fleet serve`: runs the server. */

import { ConfigError } from '@fleet/server/config/config.ts';
import { loadedLater } from '@fleet/server/loaded-later.ts';
import { serve } from '@fleet/server/main.ts';
import { exitCodeOfSignal, UsageError } from '../errors.ts';
import { onSignals } from '../interruption.ts';
import { startAgain } from '../start-again.ts';

/** Runs the server until a signal stops it. A second signal ends it at once. */
export async function runServe(flags: Record<string, unknown>): Promise<void> {
  await startAgain(loadedLater);
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  // SIGHUP is for log files that were moved.
  using _ = onSignals(
    ['SIGINT', 'SIGTERM'],
    () => stop(),
    (signal) => process.exit(exitCodeOfSignal(signal)),
  );
  const server = await serve(flags, process.env).catch((error: unknown) => {
    throw error instanceof ConfigError ? new UsageError(error.message, { cause: error }) : error;
  });
  // For people; programs read the log.
  if (process.stderr.isTTY) {
    process.stderr.write(
      `Serving at ${server.url}. Next:
  fleet join NAME --kubeconfig FILE --fleet-kubeconfig ${server.adminKubeconfig}   # add a cluster
  kubectl --kubeconfig ${server.adminKubeconfig} get pods -A   # list the pods of all clusters
`,
    );
  }
  await stopped;
  await server[Symbol.asyncDispose]();
}
