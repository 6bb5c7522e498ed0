/** The thread of the embedded store: a slow disk only delays what waits for it (CP-7). */

import { parentPort, workerData } from 'node:worker_threads';
import { openLocal, type StoreOptions } from '../open-local.ts';
import { type FromStore, faultOf } from './messages.ts';
import { servePort } from './serve-port.ts';

if (!parentPort) throw new Error('must be started as a worker thread');
const send = (message: FromStore): void => parentPort?.postMessage(message);

try {
  const warn = (text: string) => send({ kind: 'warning', text });
  const store = openLocal({ ...(workerData as StoreOptions), warn });
  send({ kind: 'open' });
  await servePort(store, parentPort);
} catch (thrown) {
  send({ kind: 'failed', error: faultOf(thrown) });
}
parentPort.close();
