/**
 * The memory that the answers of one server may take: one object of them, and all large ones together (SEC-2). Up to 2 MiB an
 * answer is read without asking. One that holds more needs a slot and waits for it: a few at once, of one user fewer still.
 */

/** As much as one object may take; kube-apiserver itself takes requests of 3 MiB. */
export const defaultObjectLimit = 16 * 1024 * 1024;

/** Objects in etcd are no larger than 1.5 MiB, but Go escapes some characters to six times their size. */
export const small = 2 * 1024 * 1024;

/** Large answers of a server at once. */
const largestAtOnce = 4;
/** Whoever does not read what was asked for must not keep everybody else waiting. */
const mostOfOneUser = 2;
const longestWait = 30_000;

/** Nothing is wrong with this answer but its size, while others of the same server are held. */
export class MemoryTakenError extends Error {
  override message = 'other answers of this server take the memory that a large one needs';
}

interface Waiter {
  user: string | undefined;
  slots: number;
  granted(): void;
}

/** First come, first served, but for users who have as many as one may have. */
class Slots {
  free: number;
  private readonly held = new Map<string, number>();
  private readonly waiting = new Set<Waiter>();

  constructor(free: number) {
    this.free = free;
  }

  /** Undefined if they are granted at once. Rejects when the signal aborts: nobody wants the answer any more. */
  take(user: string | undefined, slots: number, gone?: AbortSignal): Promise<void> | undefined {
    if (gone?.aborted) return Promise.reject(gone.reason);
    let isGranted = false;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = {
      user,
      slots,
      granted: () => {
        isGranted = true;
        resolve();
      },
    };
    this.waiting.add(waiter);
    this.serve();
    if (isGranted) return undefined;
    const leave = (reason: unknown) => {
      this.waiting.delete(waiter);
      reject(reason);
      // It may have been the first in line.
      this.serve();
    };
    const timer = setTimeout(() => leave(new MemoryTakenError()), longestWait);
    const left = () => leave(gone?.reason);
    gone?.addEventListener('abort', left, { once: true });
    return promise.finally(() => {
      clearTimeout(timer);
      gone?.removeEventListener('abort', left);
    });
  }

  give(user: string | undefined, slots: number): void {
    this.free += slots;
    if (user !== undefined) this.count(user, -slots);
    this.serve();
  }

  private serve(): void {
    for (const waiter of this.waiting) {
      const { user, slots } = waiter;
      if (user !== undefined && (this.held.get(user) ?? 0) + slots > mostOfOneUser) continue;
      if (slots > this.free) return;
      this.waiting.delete(waiter);
      this.free -= slots;
      if (user !== undefined) this.count(user, slots);
      waiter.granted();
    }
  }

  private count(user: string, change: number): void {
    const held = (this.held.get(user) ?? 0) + change;
    if (held === 0) this.held.delete(user);
    else this.held.set(user, held);
  }
}

const anyNumber = new Slots(Number.POSITIVE_INFINITY);

export class AnswerMemory {
  readonly objectLimit: number;
  private readonly slots: Slots;
  private readonly user: string | undefined;
  private readonly gone: (() => AbortSignal) | undefined;
  private last: AnswerLease | undefined;

  constructor(
    objectLimit = defaultObjectLimit,
    slots = new Slots(largestAtOnce),
    user?: string,
    gone?: () => AbortSignal,
  ) {
    this.objectLimit = objectLimit;
    this.slots = slots;
    this.user = user;
    this.gone = gone;
  }

  /** The same memory, for an answer to this user. */
  of(user: string): AnswerMemory {
    return new AnswerMemory(this.objectLimit, this.slots, user, this.gone);
  }

  /** The same memory, for one answer: nobody waits for it any more once the signal aborts. */
  until(gone: () => AbortSignal): AnswerMemory {
    return new AnswerMemory(this.objectLimit, this.slots, this.user, gone);
  }

  /** For the answer to a write, which has been carried out: that is said whatever memory there is. */
  withoutWaiting(): AnswerMemory {
    return new AnswerMemory(this.objectLimit, anyNumber);
  }

  /** Of one answer, of which one part may be this large. */
  lease(limit = this.objectLimit): AnswerLease {
    const slots = Math.min(
      Math.ceil(limit / this.objectLimit),
      this.user === undefined ? largestAtOnce : mostOfOneUser,
    );
    const lease = new AnswerLease(this.slots, this.user, Math.max(slots, 1), this.gone?.());
    // Only of one answer is there one lease.
    if (this.gone) this.last = lease;
    return lease;
  }

  /** Whether the answer that it is for keeps others waiting. */
  get isHeld(): boolean {
    return this.last?.isHeld ?? false;
  }

  /** How many large answers could be held besides those that are. */
  get free(): number {
    return this.slots.free;
  }
}

/** Of a server that is trusted: only single objects are limited. */
export const unshared = new AnswerMemory(defaultObjectLimit, anyNumber);

/** A generator that nobody reads on, nor ends, releases nothing by itself. */
const forgotten = new FinalizationRegistry<() => void>((give) => give());

/** Out here: it must not keep the lease that it is for. */
const giving = (slots: Slots, user: string | undefined, count: number) => () => slots.give(user, count);

/** What one answer holds. */
export class AnswerLease {
  private readonly large = new Set<object>();
  private readonly slots: Slots;
  private readonly user: string | undefined;
  private readonly wanted: number;
  private readonly gone: AbortSignal | undefined;
  private give: (() => void) | undefined;

  constructor(slots: Slots, user: string | undefined, wanted: number, gone?: AbortSignal) {
    this.slots = slots;
    this.user = user;
    this.wanted = wanted;
    this.gone = gone;
  }

  get isHeld(): boolean {
    return this.give !== undefined;
  }

  /** Whether this part of the answer is large. The last one that no longer is gives the slot to the next in line. */
  hold(part: object, isLarge: boolean): void {
    if (isLarge) this.large.add(part);
    else if (this.large.delete(part) && this.large.size === 0) this.release();
  }

  /** To be awaited before more of the answer is read. Undefined: at once. Throws if it takes too long. */
  admitted(): Promise<void> | undefined {
    if (this.large.size === 0 || this.give) return undefined;
    const { slots, user, wanted, gone } = this;
    const waiting = slots.take(user, wanted, gone);
    const take = () => {
      this.give = giving(slots, user, wanted);
      forgotten.register(this, this.give, this);
    };
    if (waiting) return waiting.then(take);
    take();
    return undefined;
  }

  private release(): void {
    forgotten.unregister(this);
    this.give?.();
    this.give = undefined;
  }
}
