/** A store on a thread of its own, which ends with it. */

import { on, once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { StoreOptions } from '../open-local.ts';
import { warnOnStderr } from '../sqlite/open-database.ts';
import { closed, StoreError } from '../store-error.ts';
import { errorOf, type FromStore } from './messages.ts';
import { PortStore } from './port-store.ts';

/** Without functions, which cannot be sent to the thread. */
export type WorkerOptions = Omit<StoreOptions, 'freeBytes'>;

export class WorkerStore extends PortStore {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    super(worker);
    this.#worker = worker;
    worker.on('error', (cause) => this.lose(new StoreError('closed', 'the thread of the store failed', { cause })));
    worker.on('exit', () => this.lose(closed()));
  }

  static async open({ warn = warnOnStderr, ...options }: WorkerOptions): Promise<WorkerStore> {
    const worker = new Worker(new URL('./store-thread.ts', import.meta.url), { workerData: options, name: 'store' });
    for await (const [message] of on(worker, 'message') as AsyncIterable<[FromStore]>) {
      if (message.kind === 'failed') throw errorOf(message.error);
      if (message.kind !== 'warning') break;
      warn(message.text);
    }
    return new WorkerStore(worker);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    if (this.isGone) return;
    const exit = once(this.#worker, 'exit');
    this.send({ kind: 'close' });
    await exit;
  }
}
