/** Runs the server of a demo in its own process, so that the simulated clusters do not block it. */

import { serve } from '@fleet/server/main.ts';
import { endingSignals } from '../interruption.ts';

export type ToProduct = { flags: Record<string, string> };
export type FromProduct = { url: string; adminKubeconfig: string } | { error: string; isPortTaken: boolean };

// Ctrl-C in a terminal, and its end, reach all its processes; this one ends after those who use it.
for (const name of endingSignals) process.on(name, () => {});

const send = (message: FromProduct) => process.send?.(message);

process.once('message', async ({ flags }: ToProduct) => {
  try {
    const server = await serve(flags, {});
    const end = async () => {
      await server[Symbol.asyncDispose]();
      process.exit();
    };
    if (process.connected) process.once('disconnect', end);
    else await end();
    send({ url: server.url, adminKubeconfig: server.adminKubeconfig });
  } catch (error) {
    const { message, cause } = error as Error;
    send({ error: message, isPortTaken: (cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE' });
    process.exitCode = 1;
    process.disconnect?.();
  }
});
