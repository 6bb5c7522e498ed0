/**
 * Sums failed logins and refusals for the log and the audit log (AGENT-3). The first of an address and a reason is written at once, those
 * of the next ten seconds as one line. The port is public: with a line per connection, a stranger could fill the disk.
 */

import type { Clock } from '@fleet/tunnel/clock.ts';
import { sourceOf } from '@fleet/tunnel/login-source.ts';

const windowTime = 10_000;
/** Per address: the claimed cluster and the refused channel are chosen by the other side, and can have any number of values. */
const mostKinds = 32;
/** For all addresses: somebody with a thousand addresses causes some 30 KB a second at most. */
const mostWindows = 1_000;
const others = 'others';

export interface AgentFailure {
  event: 'AgentLoginFailed' | 'AgentRefused';
  /** The cluster that the agent claims to be of, before the login. */
  cluster: string | undefined;
  address: string;
  /** The method of the login, or what was refused. */
  what: string;
}

export interface FailureSum extends AgentFailure {
  count: number;
}

interface Window {
  failure: AgentFailure;
  source: string;
  /** Since the last line. */
  count: number;
  /** The addresses in one line: their network where there are several. */
  address: string;
  timer: Disposable;
}

const keyOf = (source: string, { event, cluster, what }: AgentFailure): string =>
  JSON.stringify([source, event, cluster, what]);

export class FailureSums implements Disposable {
  readonly #report: (sum: FailureSum) => void;
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();
  /** How many windows each source has. */
  readonly #kinds = new Map<string, number>();
  #isDisposed = false;

  constructor(report: (sum: FailureSum) => void, clock: Clock) {
    this.#report = report;
    this.#clock = clock;
  }

  add(added: AgentFailure): void {
    if (this.#isDisposed) {
      this.#report({ ...added, count: 1 });
      return;
    }
    const failure = this.#bounded(added);
    const source = sourceOf(failure.address);
    const key = keyOf(source, failure);
    const window = this.#windows.get(key);
    if (window) {
      window.address = window.count === 0 || window.address === failure.address ? failure.address : source;
      window.count++;
      return;
    }
    const timer = this.#timer(key);
    this.#windows.set(key, { failure, source, count: 0, address: failure.address, timer });
    this.#kinds.set(source, (this.#kinds.get(source) ?? 0) + 1);
    this.#report({ ...failure, count: 1 });
  }

  /** Writes the sums that are still pending. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    for (const window of this.#windows.values()) {
      window.timer[Symbol.dispose]();
      this.#write(window);
    }
    this.#windows.clear();
    this.#kinds.clear();
  }

  /** The failure unchanged, or with fewer details where there are too many kinds or addresses for a window each. */
  #bounded(failure: AgentFailure): AgentFailure {
    const source = sourceOf(failure.address);
    if (this.#windows.has(keyOf(source, failure))) return failure;
    const isFull = this.#windows.size >= mostWindows;
    if (!isFull && (this.#kinds.get(source) ?? 0) < mostKinds) return failure;
    const anyKind = { ...failure, cluster: undefined, what: others };
    return isFull && !this.#windows.has(keyOf(source, anyKind)) ? { ...anyKind, address: others } : anyKind;
  }

  #timer(key: string): Disposable {
    return this.#clock.timer(windowTime, () => this.#ended(key));
  }

  #ended(key: string): void {
    const window = this.#windows.get(key);
    if (!window) return;
    if (window.count > 0) {
      this.#write(window);
      window.timer = this.#timer(key);
      return;
    }
    this.#windows.delete(key);
    const kinds = this.#kinds.get(window.source)! - 1;
    if (kinds > 0) this.#kinds.set(window.source, kinds);
    else this.#kinds.delete(window.source);
  }

  #write(window: Window): void {
    const { failure, address, count } = window;
    if (count === 0) return;
    window.count = 0;
    this.#report({ ...failure, address, count });
  }
}
