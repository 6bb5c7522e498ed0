/** The heap of a Node process from outside, by the debugger that every Node brings: nothing is built into the product. */

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Product } from './product.ts';
import { until } from './until.ts';

/** Lets `openHeap` find a port that nobody else has. */
export const heapFlags = ['--inspect-port=127.0.0.1:0'];

export interface Heap extends Disposable {
  /** Bytes that are still in use after a full collection: of objects, and of buffers outside the heap. */
  collected(): Promise<number>;
}

/** Of a product that was started with `heapFlags`. */
export async function openHeap({ log, signal }: Pick<Product, 'log' | 'signal'>): Promise<Heap> {
  signal('SIGUSR1');
  const address = await until('the debugger listens', async () => {
    return /Debugger listening on (ws:\S+)/.exec(await readFile(log, 'utf8'))?.[1];
  });
  const socket = new WebSocket(address);
  await once(socket, 'open');
  let asked = 0;
  const ask = async (method: string): Promise<Record<string, number>> => {
    const id = ++asked;
    socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const [message] = (await once(socket, 'message')) as [{ data: string }];
      const answer = JSON.parse(message.data) as { id: number; result: Record<string, number> };
      if (answer.id === id) return answer.result;
    }
  };
  return {
    async collected() {
      // twice: what has a finalizer goes with the second
      await ask('HeapProfiler.collectGarbage');
      await ask('HeapProfiler.collectGarbage');
      const { usedSize = 0, backingStorageSize = 0 } = await ask('Runtime.getHeapUsage');
      return usedSize + backingStorageSize;
    },
    [Symbol.dispose]: () => socket.close(),
  };
}
