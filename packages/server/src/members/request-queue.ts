/** A request queue: a limited number of requests run at once, a limited number wait in order of arrival, for a limited time. */

export interface QueueOptions {
  places: number;
  /** How many may wait, and for how long in milliseconds. Further ones are rejected. */
  waiting: number;
  within: number;
}

/** Frees the slot. Harmless if called again. */
export type Leave = () => void;

export class RequestQueue {
  private readonly options: QueueOptions;
  private taken = 0;
  private readonly line = new Set<() => void>();

  constructor(options: QueueOptions) {
    this.options = options;
  }

  get inUse(): number {
    return this.taken;
  }

  get waiting(): number {
    return this.line.size;
  }

  /** Undefined if the request is rejected. Throws the signal's reason if that aborts first. */
  enter(signal: AbortSignal): Leave | Promise<Leave | undefined> | undefined {
    if (this.taken < this.options.places) return this.take();
    return this.line.size < this.options.waiting ? this.wait(signal) : undefined;
  }

  private take(): Leave {
    this.taken++;
    let here = true;
    return () => {
      if (!here) return;
      here = false;
      this.taken--;
      const [next] = this.line;
      next?.();
    };
  }

  private wait(signal: AbortSignal): Promise<Leave | undefined> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<Leave | undefined>();
    const called = () => {
      out();
      resolve(this.take());
    };
    const gone = () => {
      out();
      reject(signal.reason);
    };
    const late = setTimeout(() => {
      out();
      resolve(undefined);
    }, this.options.within);
    const out = () => {
      this.line.delete(called);
      clearTimeout(late);
      signal.removeEventListener('abort', gone);
    };
    this.line.add(called);
    signal.addEventListener('abort', gone, { once: true });
    return promise;
  }
}
