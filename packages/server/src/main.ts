/** `fleet serve`: flags -> config -> parts -> listen -> drain. */

import { readConfig } from './config/config.ts';
import { listenForAgents } from './http/agent-listener.ts';
import { listen } from './http/listener.ts';
import { createLog } from './observe/log.ts';
import { releaseMemory } from './observe/release-memory.ts';
import { buildParts } from './parts.ts';
import { openDataDir, writeAdminKubeconfig } from './pki/data-dir.ts';

/** Disposing it lets requests in flight finish, then stops the server. */
export interface RunningServer extends AsyncDisposable {
  url: string;
  adminKubeconfig: string;
}

export async function serve(flags: Record<string, unknown>, environment: NodeJS.ProcessEnv): Promise<RunningServer> {
  const config = readConfig(flags, environment);
  const log = createLog(config.logLevel);
  await openDataDir(config.dataDir, (text) => log.warn({ dataDir: config.dataDir }, text));
  // What was started is stopped if a later step fails: if the port is taken, the process must not stay with its watches alone.
  await using starting = new AsyncDisposableStack();
  const { pki, trust, drain, handler, acceptAgent } = starting.use(await buildParts(config, log));
  releaseMemory();
  const credentials = () => ({ ...trust.serving(), clientCas: [pki.ca.cert, ...trust.clientCas()] });
  const onError = (error: unknown) => log.warn({ err: error }, 'a connection failed');
  const listener = await listen({
    ...config.listen,
    ...credentials(),
    handler,
    acceptAgent,
    onError,
  });
  starting.defer(async () => {
    drain.begin();
    await listener.close(config.shutdownGrace);
  });
  if (config.agentListen) {
    const agents = await listenForAgents(config.agentListen, acceptAgent, onError);
    starting.defer(() => agents.close());
    log.info({ port: agents.address.port }, 'listening for agents');
  }
  const url = `https://${hostFor(config.listen.host)}:${listener.address.port}`;
  const given = trust.serving() === pki.serving ? [] : [trust.serving().cert];
  const adminKubeconfig = await writeAdminKubeconfig(config.dataDir, url, pki.ca, given, (text) => log.warn(text));
  trust.onChange = () => listener.present(credentials());
  log.info({ url, adminKubeconfig }, 'fleet is serving');
  const running = starting.move();
  return {
    url,
    adminKubeconfig,
    async [Symbol.asyncDispose]() {
      log.info('draining');
      await drain.announce(config.shutdownDelay);
      await running.disposeAsync();
    },
  };
}

/** The host name for clients of a server that listens on all addresses. */
function hostFor(host: string): string {
  if (host === '' || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
