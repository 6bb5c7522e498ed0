/** A store with a thread of its own, which ends with it. */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { StoreOptions } from '../open-local.ts';
import { closed, StoreError } from '../store-error.ts';
import { errorOf, type FromStore } from './messages.ts';
import { PortStore } from './port-store.ts';

export class WorkerStore extends PortStore {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    super(worker);
    this.#worker = worker;
    worker.on('error', (cause) => this.lose(new StoreError('closed', 'the thread of the store failed', { cause })));
    worker.on('exit', () => this.lose(closed()));
  }

  static async open(options: StoreOptions): Promise<WorkerStore> {
    const worker = new Worker(new URL('./store-thread.ts', import.meta.url), { workerData: options, name: 'store' });
    const [first] = (await once(worker, 'message')) as [FromStore];
    if (first.kind === 'failed') throw errorOf(first.error);
    return new WorkerStore(worker);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    if (this.isGone) return;
    const exit = once(this.#worker, 'exit');
    this.say({ kind: 'close' });
    await exit;
  }
}
