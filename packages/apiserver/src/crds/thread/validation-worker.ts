/** Runs validation on a worker thread, which is started on demand and stopped when idle. */

import { Worker } from 'node:worker_threads';
import { timedOut, tooManyRequests } from '@fleet/kube/status.ts';
import type { FieldError } from '../../errors/field-error.ts';
import type { Answered, Asked, Job } from './jobs.ts';

const deadlineMillis = 30_000;
const idleMillis = 10_000;
const mostWaiting = 100;

interface Waiting extends PromiseWithResolvers<FieldError[]> {
  asked: Asked;
}

export class ValidationWorker implements AsyncDisposable {
  #worker: Worker | undefined;
  #lastId = 0;
  /** The first one is running. */
  readonly #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  run(job: Job): Promise<FieldError[]> {
    if (this.#waiting.length >= mostWaiting) throw tooManyRequests();
    const waiting = { ...Promise.withResolvers<FieldError[]>(), asked: { id: ++this.#lastId, job } };
    this.#waiting.push(waiting);
    if (this.#waiting.length === 1) this.#next();
    return waiting.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker?.terminate();
  }

  #next(): void {
    clearTimeout(this.#timer);
    const [first] = this.#waiting;
    this.#timer = first
      ? setTimeout(() => this.#lose(timedOut('the object took too long to check')), deadlineMillis)
      : setTimeout(() => this.#stop(), idleMillis);
    this.#timer.unref();
    if (!first) return;
    this.#worker ??= this.#start();
    this.#worker.postMessage(first.asked);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./validation-thread.ts', import.meta.url), { name: 'validation' });
    worker.unref();
    worker.on('message', (answered: Answered) => this.#hear(worker, answered));
    worker.on('error', (error) => {
      if (this.#worker === worker) this.#lose(error);
    });
    return worker;
  }

  #hear(worker: Worker, answered: Answered): void {
    const [first] = this.#waiting;
    if (this.#worker !== worker || first?.asked.id !== answered.id) return;
    this.#waiting.shift();
    if ('errors' in answered) first.resolve(answered.errors);
    else first.reject(new Error(answered.failed));
    this.#next();
  }

  /** The running job fails; the others are moved to a new thread. */
  #lose(error: unknown): void {
    this.#stop();
    this.#waiting.shift()?.reject(error);
    if (this.#waiting.length > 0) this.#next();
  }

  #stop(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }
}
