/** A pool of a few worker threads: started on demand, and ended when idle. */

import type { Worker } from 'node:worker_threads';
import { StatusError, timedOut, tooManyRequests, unavailable } from '@fleet/kube/status.ts';

export interface ThreadLimits {
  threads: number;
  /** The maximum of queued jobs; further ones get 429. */
  waiting: number;
  /** In milliseconds, from the call to the result. */
  within: number;
  /** In milliseconds without work. */
  idle: number;
}

const usual: ThreadLimits = { threads: 2, waiting: 100, within: 60_000, idle: 10_000 };

interface Waiting<Job, Result> {
  job: Job;
  settle(result: { is: 'done'; result: Result } | { is: 'lost'; why: unknown }): void;
}

interface Thread<Job, Result> {
  worker: Worker;
  doing: Waiting<Job, Result> | undefined;
  idle: NodeJS.Timeout | undefined;
}

/** A thread is sent a job and sends its result; it has one job at a time. */
export class ThreadPool<Job, Result> implements AsyncDisposable {
  readonly #start: () => Worker;
  readonly #limits: ThreadLimits;
  readonly #line: Waiting<Job, Result>[] = [];
  readonly #threads = new Set<Thread<Job, Result>>();

  constructor(start: () => Worker, limits: Partial<ThreadLimits> = {}) {
    this.#start = start;
    this.#limits = { ...usual, ...limits };
  }

  get running(): number {
    return this.#threads.size;
  }

  /** A job that takes too long, or whose caller is gone, leaves the queue; a thread that runs it is ended. */
  async run(job: Job, signal?: AbortSignal): Promise<Result> {
    if (signal?.aborted) throw unavailable('the client is gone');
    if (this.#line.length >= this.#limits.waiting) throw tooManyRequests();
    const { promise, resolve: settle } = Promise.withResolvers<Parameters<Waiting<Job, Result>['settle']>[0]>();
    const waiting = { job, settle };
    // The caller is gone, so nobody sees this error.
    const onAbort = () => this.#cancel(waiting, unavailable('the client is gone'));
    const onLate = () => this.#cancel(waiting, timedOut('request did not complete within the allotted timeout'));
    signal?.addEventListener('abort', onAbort, { once: true });
    const deadline = setTimeout(onLate, this.#limits.within).unref();
    this.#line.push(waiting);
    this.#next();
    const settled = await promise;
    clearTimeout(deadline);
    signal?.removeEventListener('abort', onAbort);
    if (settled.is === 'lost') throw settled.why;
    return settled.result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const waiting of this.#line.splice(0)) waiting.settle({ is: 'lost', why: ended() });
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, ended())));
  }

  #next(): void {
    while (this.#line.length > 0) {
      const thread = this.#free();
      if (!thread) return;
      clearTimeout(thread.idle);
      thread.doing = this.#line.shift()!;
      thread.worker.postMessage(thread.doing.job);
    }
  }

  #free(): Thread<Job, Result> | undefined {
    for (const thread of this.#threads) if (!thread.doing) return thread;
    return this.#threads.size < this.#limits.threads ? this.#begin() : undefined;
  }

  #begin(): Thread<Job, Result> {
    const worker = this.#start();
    worker.unref();
    const thread: Thread<Job, Result> = { worker, doing: undefined, idle: undefined };
    this.#threads.add(thread);
    worker.on('message', (result: Result) => {
      thread.doing?.settle({ is: 'done', result });
      thread.doing = undefined;
      // Its memory is freed with it.
      thread.idle = setTimeout(() => void this.#end(thread, ended()), this.#limits.idle).unref();
      this.#next();
    });
    worker.on('error', (error: NodeJS.ErrnoException) => void this.#end(thread, failureOf(error)));
    worker.on('exit', () => void this.#end(thread, ended()));
    return thread;
  }

  #cancel(waiting: Waiting<Job, Result>, why: unknown): void {
    const at = this.#line.indexOf(waiting);
    if (at >= 0) this.#line.splice(at, 1);
    waiting.settle({ is: 'lost', why });
    for (const thread of this.#threads) if (thread.doing === waiting) void this.#end(thread, why);
  }

  #end(thread: Thread<Job, Result>, why: unknown): Promise<unknown> {
    this.#threads.delete(thread);
    clearTimeout(thread.idle);
    thread.doing?.settle({ is: 'lost', why });
    this.#next();
    return thread.worker.terminate();
  }
}

const ended = (): Error => new StatusError(503, 'ServiceUnavailable', 'the server is shutting down');

/** The job may have exceeded the memory limit of its thread (LIMIT-2). */
const failureOf = (cause: NodeJS.ErrnoException): Error =>
  cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new StatusError(413, 'RequestEntityTooLarge', 'the request requires too much memory', undefined, { cause })
    : cause;
