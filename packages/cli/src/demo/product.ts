/** Starts the server of a demo in a child process, which ends when this process ends, for any reason. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { HintedError } from '../errors.ts';
import { productEnded } from './product-ended.ts';
import type { FromProduct, ToProduct } from './product-process.ts';

export interface DemoProduct extends AsyncDisposable {
  url: string;
  adminKubeconfig: string;
  /** Settles if it ends by itself. */
  ended: Promise<Error>;
}

export interface ProductOptions {
  dataDir: string;
  listen: string;
  logFile: string;
  /** Whether the log is there after the demo. */
  isKept: boolean;
  federation: boolean;
}

const freePort = '--listen 127.0.0.1:0 takes any free port';

/** What an orderly end may take. */
const endWithin = 5_000;

export async function startProduct({
  dataDir,
  listen,
  logFile,
  isKept,
  federation,
}: ProductOptions): Promise<DemoProduct> {
  await using log = await open(logFile, 'a', 0o600);
  const child = fork(fileURLToPath(new URL('./product-process.ts', import.meta.url)), {
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  });
  const exited = once(child, 'exit');
  const ended = exited.then(([code, signal]) => productEnded(signal ?? code, { logFile, isKept }));
  const stop = async () => {
    if (child.connected) child.disconnect();
    const late = setTimeout(() => child.kill('SIGKILL'), endWithin);
    await exited;
    clearTimeout(late);
  };
  try {
    const flags = { dataDir, listen, logLevel: 'warn', shutdownGrace: '1s', federation: String(federation) };
    child.send({ flags } satisfies ToProduct);
    const answer = await Promise.race([
      once(child, 'message').then(([message]) => message as FromProduct),
      ended.then((error) => Promise.reject(error)),
    ]);
    if ('error' in answer) {
      throw answer.isPortTaken ? new HintedError(answer.error, freePort) : new Error(answer.error);
    }
    return { ...answer, ended, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
