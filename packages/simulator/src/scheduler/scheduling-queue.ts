/** The scheduling queue: pending pods by priority, then in order of arrival. Unschedulable pods wait for a change of the cluster. */

import type { Delays } from '../delays.ts';

/** `pkg/scheduler/apis/config/v1/defaults.go`: podInitialBackoffSeconds, podMaxBackoffSeconds. */
const firstBackOff = 1;
const longestBackOff = 10;

interface Unschedulable {
  priority: number;
  attempts: number;
  /** Not retried before. */
  until: number;
}

export class SchedulingQueue implements Disposable {
  readonly #delays: Delays;
  readonly #wake: () => void;
  readonly #active = new Map<number, Set<string>>();
  readonly #unschedulable = new Map<string, Unschedulable>();
  #timer: NodeJS.Timeout | undefined;

  constructor(delays: Delays, wake: () => void) {
    this.#delays = delays;
    this.#wake = wake;
  }

  /** New or changed pods are tried immediately. */
  add(key: string, priority: number): void {
    const waiting = this.#active.get(priority);
    if (waiting) waiting.add(key);
    else this.#active.set(priority, new Set([key]));
    this.#wake();
  }

  remove(key: string): void {
    this.#unschedulable.delete(key);
    for (const waiting of this.#active.values()) waiting.delete(key);
  }

  next(): string | undefined {
    let highest: number | undefined;
    for (const [priority, waiting] of this.#active) {
      if (waiting.size === 0) this.#active.delete(priority);
      else if (highest === undefined || priority > highest) highest = priority;
    }
    const waiting = highest === undefined ? undefined : this.#active.get(highest);
    const key = waiting?.values().next().value;
    if (key !== undefined) waiting?.delete(key);
    return key;
  }

  isUnschedulable(key: string): boolean {
    return this.#unschedulable.has(key);
  }

  /** The pod does not fit on any node now. */
  markUnschedulable(key: string, priority: number): void {
    const attempts = (this.#unschedulable.get(key)?.attempts ?? 0) + 1;
    const seconds = Math.min(firstBackOff * 2 ** (attempts - 1), longestBackOff);
    this.#unschedulable.set(key, { priority, attempts, until: Date.now() + this.#delays.millis(seconds) });
  }

  /** After a change that may help: unschedulable pods are retried, each after its backoff. */
  retry(): void {
    clearTimeout(this.#timer);
    const now = Date.now();
    let soonest = Number.POSITIVE_INFINITY;
    for (const [key, { priority, until }] of this.#unschedulable) {
      if (until <= now) this.add(key, priority);
      else soonest = Math.min(soonest, until);
    }
    if (!Number.isFinite(soonest)) return;
    this.#timer = setTimeout(() => this.retry(), soonest - now).unref();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#active.clear();
    this.#unschedulable.clear();
  }
}
