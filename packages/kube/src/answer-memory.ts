/**
 * Limits the memory that the responses of one server may hold: each single object, and all large responses together (SEC-2).
 * A response of up to 2 MiB is read without a slot. A larger one waits for one of a few slots; one user may hold fewer still.
 */

/** The limit for one object; kube-apiserver itself accepts requests of 3 MiB. */
export const defaultObjectLimit = 16 * 1024 * 1024;

/** Objects in etcd are no larger than 1.5 MiB, but Go escapes some characters to six times their size. */
export const small = 2 * 1024 * 1024;

/** Large responses of one server that may be held at the same time. */
const maxLargeAtOnce = 4;
/** A user who does not read the response must not block all other users. */
const maxPerUser = 2;
const longestWait = 30_000;

/** The response is valid, but too large to hold while other responses of the same server are held. */
export class MemoryTakenError extends Error {
  override message = 'the memory for large responses of this server is in use';
}

interface Waiter {
  user: string | undefined;
  slots: number;
  granted(): void;
}

/** First come, first served; a user who already has the maximum number of slots is skipped. */
class Slots {
  free: number;
  private readonly held = new Map<string, number>();
  private readonly waiting = new Set<Waiter>();

  constructor(free: number) {
    this.free = free;
  }

  /** Returns undefined if the slots are granted at once. Rejects when the signal aborts. */
  take(user: string | undefined, slots: number, signal?: AbortSignal): Promise<void> | undefined {
    if (signal?.aborted) return Promise.reject(signal.reason);
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
      // The aborted waiter may have been the first in the queue.
      this.serve();
    };
    const timer = setTimeout(() => leave(new MemoryTakenError()), longestWait);
    const left = () => leave(signal?.reason);
    signal?.addEventListener('abort', left, { once: true });
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', left);
    });
  }

  putBack(user: string | undefined, slots: number): void {
    this.free += slots;
    if (user !== undefined) this.count(user, -slots);
    this.serve();
  }

  private serve(): void {
    for (const waiter of this.waiting) {
      const { user, slots } = waiter;
      if (user !== undefined && (this.held.get(user) ?? 0) + slots > maxPerUser) continue;
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
  private readonly signal: (() => AbortSignal) | undefined;
  private last: AnswerLease | undefined;

  constructor(
    objectLimit = defaultObjectLimit,
    slots = new Slots(maxLargeAtOnce),
    user?: string,
    signal?: () => AbortSignal,
  ) {
    this.objectLimit = objectLimit;
    this.slots = slots;
    this.user = user;
    this.signal = signal;
  }

  /** The same limits, for a response to this user. */
  of(user: string): AnswerMemory {
    return new AnswerMemory(this.objectLimit, this.slots, user, this.signal);
  }

  /** The same limits, for one response: waiting stops when the signal aborts. */
  until(signal: () => AbortSignal): AnswerMemory {
    return new AnswerMemory(this.objectLimit, this.slots, this.user, signal);
  }

  /** For the response to a write: the write is done, so its result is reported however little memory is free. */
  withoutWaiting(): AnswerMemory {
    return new AnswerMemory(this.objectLimit, anyNumber);
  }

  /** The lease of one response, in which one part may have up to `limit` bytes. */
  lease(limit = this.objectLimit): AnswerLease {
    const slots = Math.min(Math.ceil(limit / this.objectLimit), this.user === undefined ? maxLargeAtOnce : maxPerUser);
    const lease = new AnswerLease(this.slots, this.user, Math.max(slots, 1), this.signal?.());
    // The memory of a single response has only one lease.
    if (this.signal) this.last = lease;
    return lease;
  }

  /** Whether the response holds memory that others wait for. */
  get isHeld(): boolean {
    return this.last?.isHeld ?? false;
  }

  /** How many more large responses could be held now. */
  get free(): number {
    return this.slots.free;
  }
}

/** For trusted servers: only single objects are limited. */
export const unshared = new AnswerMemory(defaultObjectLimit, anyNumber);

/** A generator that nobody reads to its end never runs its `finally`, so the garbage collector releases the slots. */
const abandonedLeases = new FinalizationRegistry<() => void>((putBack) => putBack());

/** Outside the class, so that the callback does not keep the lease itself alive. */
const returnSlots = (slots: Slots, user: string | undefined, count: number) => () => slots.putBack(user, count);

/** The memory that one response holds. */
export class AnswerLease {
  private readonly large = new Set<object>();
  private readonly slots: Slots;
  private readonly user: string | undefined;
  private readonly slotCount: number;
  private readonly signal: AbortSignal | undefined;
  private returnHeld: (() => void) | undefined;

  constructor(slots: Slots, user: string | undefined, slotCount: number, signal?: AbortSignal) {
    this.slots = slots;
    this.user = user;
    this.slotCount = slotCount;
    this.signal = signal;
  }

  get isHeld(): boolean {
    return this.returnHeld !== undefined;
  }

  /** Records whether this part of the response is large. When no part is large any more, the slot goes to the next in the queue. */
  hold(part: object, isLarge: boolean): void {
    if (isLarge) this.large.add(part);
    else if (this.large.delete(part) && this.large.size === 0) this.release();
  }

  /** Await this before reading more of the response. Undefined means at once. Throws if it takes too long. */
  admitted(): Promise<void> | undefined {
    if (this.large.size === 0 || this.returnHeld) return undefined;
    const { slots, user, slotCount, signal } = this;
    const waiting = slots.take(user, slotCount, signal);
    const take = () => {
      this.returnHeld = returnSlots(slots, user, slotCount);
      abandonedLeases.register(this, this.returnHeld, this);
    };
    if (waiting) return waiting.then(take);
    take();
    return undefined;
  }

  private release(): void {
    abandonedLeases.unregister(this);
    this.returnHeld?.();
    this.returnHeld = undefined;
  }
}
