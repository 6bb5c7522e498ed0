/** A request queue: so many run at once, so many wait, taking turns between users, and none waits for ever. */

export interface QueueOptions {
  places: number;
  /** How many may wait, and for how long in milliseconds. Further ones are rejected. */
  waiting: number;
  within: number;
}

export interface Waiter {
  /** The user: one with many requests does not keep those of others waiting. */
  of?: string;
  /** Waits ahead of all that are not, and is not turned away for them. */
  isFirst?: boolean;
}

/** Gives the place back. Harmless when called again. */
export type Leave = () => void;

export class RequestQueue {
  private readonly options: QueueOptions;
  private taken = 0;
  private readonly first = new WaitingByUser();
  private readonly others = new WaitingByUser();

  constructor(options: QueueOptions) {
    this.options = options;
  }

  get inUse(): number {
    return this.taken;
  }

  get waiting(): number {
    return this.first.size + this.others.size;
  }

  /** Undefined for whoever is turned away. Throws the signal's reason when that aborts first. */
  enter(
    signal: AbortSignal,
    { of = '', isFirst = false }: Waiter = {},
  ): Leave | Promise<Leave | undefined> | undefined {
    if (this.taken < this.options.places) return this.take();
    const line = isFirst ? this.first : this.others;
    return line.hasPlaceFor(of, this.options.waiting) ? this.wait(line, of, signal) : undefined;
  }

  private take(): Leave {
    this.taken++;
    let here = true;
    return () => {
      if (!here) return;
      here = false;
      this.taken--;
      (this.first.next() ?? this.others.next())?.call();
    };
  }

  private wait(line: WaitingByUser, of: string, signal: AbortSignal): Promise<Leave | undefined> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<Leave | undefined>();
    const gone = () => {
      out();
      reject(signal.reason);
    };
    const turnAway = () => {
      out();
      resolve(undefined);
    };
    const late = setTimeout(turnAway, this.options.within);
    const waiting: Waiting = {
      call: () => {
        out();
        resolve(this.take());
      },
      turnAway,
    };
    const out = () => {
      line.remove(of, waiting);
      clearTimeout(late);
      signal.removeEventListener('abort', gone);
    };
    line.add(of, waiting);
    signal.addEventListener('abort', gone, { once: true });
    return promise;
  }
}

interface Waiting {
  call(): void;
  turnAway(): void;
}

/** Each user's requests in the order they came; users take turns. */
class WaitingByUser {
  size = 0;
  /** Whose turn it is stands first. */
  private readonly users = new Map<string, Set<Waiting>>();

  add(user: string, waiting: Waiting): void {
    const own = this.users.get(user) ?? new Set();
    this.users.set(user, own.add(waiting));
    this.size++;
  }

  remove(user: string, waiting: Waiting): void {
    const own = this.users.get(user);
    if (!own?.delete(waiting)) return;
    this.size--;
    if (own.size === 0) this.users.delete(user);
  }

  /** Its call takes it out of the line. */
  next(): Waiting | undefined {
    const [turn] = this.users;
    if (!turn) return undefined;
    const [user, own] = turn;
    this.users.delete(user);
    this.users.set(user, own);
    const [waiting] = own;
    return waiting;
  }

  /** In a full line, the last of whoever has most makes place for one who has less than an equal share. */
  hasPlaceFor(user: string, most: number): boolean {
    if (this.size < most) return true;
    const own = this.users.get(user)?.size ?? 0;
    const users = this.users.size + (own === 0 ? 1 : 0);
    if (own + 1 > most / users) return false;
    let longest: Set<Waiting> | undefined;
    for (const line of this.users.values()) if (line.size > (longest?.size ?? 0)) longest = line;
    if (!longest || longest.size <= own + 1) return false;
    [...longest].at(-1)!.turnAway();
    return true;
  }
}
