/** A pool of worker threads for large bodies, started on demand and ended when idle. */

import { Worker } from 'node:worker_threads';
import { StatusError, timedOut, tooManyRequests } from '@fleet/kube/status.ts';
import { type BodyJob, type BodyResult, errorOf, withBuffers } from './body-message.ts';
import type { BodyWork } from './body-work.ts';

interface Waiting {
  job: BodyJob;
  settle(result: BodyResult | Error): void;
}

interface Thread {
  worker: Worker;
  doing: Waiting | undefined;
  idle: NodeJS.Timeout | undefined;
}

/** The thread has a memory limit of its own: a body that exceeds it ends the thread, not the process (LIMIT-2). */
const usual = { threads: 2, waiting: 100, within: 60_000, idle: 10_000, megabytes: 512 };

export class BodyThreads implements AsyncDisposable {
  private readonly limits: typeof usual;
  private readonly line: Waiting[] = [];
  private readonly threads = new Set<Thread>();

  constructor(limits: Partial<typeof usual> = {}) {
    this.limits = { ...usual, ...limits };
  }

  get running(): number {
    return this.threads.size;
  }

  /** A body that takes too long, or whose client has disconnected, leaves the queue. A thread that is working on it is ended. */
  async run<W extends keyof BodyWork>(
    work: W,
    input: Parameters<BodyWork[W]>,
    signal: AbortSignal,
  ): Promise<ReturnType<BodyWork[W]>> {
    signal.throwIfAborted();
    if (this.line.length >= this.limits.waiting) throw tooManyRequests();
    const { promise, resolve: settle } = Promise.withResolvers<BodyResult | Error>();
    const waiting: Waiting = { job: { work, input }, settle };
    const onAbort = () => this.reject(waiting, signal.reason as Error);
    const onLate = () => this.reject(waiting, timedOut('request did not complete within the allotted timeout'));
    signal.addEventListener('abort', onAbort, { once: true });
    const deadline = setTimeout(onLate, this.limits.within);
    this.line.push(waiting);
    this.next();
    const result = await promise;
    clearTimeout(deadline);
    signal.removeEventListener('abort', onAbort);
    if (result instanceof Error) throw result;
    if (result.is === 'refused') throw errorOf(result.status);
    return withBuffers(result.output) as ReturnType<BodyWork[W]>;
  }

  private next(): void {
    while (this.line.length > 0) {
      const thread = this.free();
      if (!thread) return;
      clearTimeout(thread.idle);
      thread.doing = this.line.shift()!;
      thread.worker.postMessage(thread.doing.job);
    }
  }

  private free(): Thread | undefined {
    for (const thread of this.threads) if (!thread.doing) return thread;
    return this.threads.size < this.limits.threads ? this.start() : undefined;
  }

  private start(): Thread {
    const resourceLimits = { maxOldGenerationSizeMb: this.limits.megabytes };
    const worker = new Worker(new URL('body-thread.ts', import.meta.url), { resourceLimits });
    // An idle thread does not keep the process running.
    worker.unref();
    const thread: Thread = { worker, doing: undefined, idle: undefined };
    this.threads.add(thread);
    worker.on('message', (result: BodyResult) => {
      thread.doing?.settle(result);
      thread.doing = undefined;
      // Its memory is freed with it.
      thread.idle = setTimeout(() => this.end(thread, ended), this.limits.idle).unref();
      this.next();
    });
    worker.on('error', (error: NodeJS.ErrnoException) => this.end(thread, failureOf(error)));
    return thread;
  }

  private reject(waiting: Waiting, why: Error): void {
    const at = this.line.indexOf(waiting);
    if (at >= 0) this.line.splice(at, 1);
    waiting.settle(why);
    for (const thread of this.threads) if (thread.doing === waiting) this.end(thread, why);
  }

  private end(thread: Thread, why: Error): Promise<unknown> {
    this.threads.delete(thread);
    clearTimeout(thread.idle);
    thread.doing?.settle(why);
    this.next();
    return thread.worker.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const waiting of this.line.splice(0)) waiting.settle(ended);
    await Promise.all([...this.threads].map((thread) => this.end(thread, ended)));
  }
}

const ended = new Error('the thread for bodies has ended');

/** The body may have exceeded the thread's memory. */
const failureOf = (cause: NodeJS.ErrnoException): Error =>
  cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new StatusError(413, 'RequestEntityTooLarge', 'reading the body takes too much memory', undefined, { cause })
    : cause;
