/**
 * Failed logins and refusals, for the log and the audit log (AGENT-3): the first of an address and a reason at once, those of the next ten
 * seconds as one line. Anybody may connect: with a line for each connection, a stranger could fill the disk and push all other lines out.
 */

import type { Clock } from '@fleet/tunnel/clock.ts';
import { sourceOf } from '@fleet/tunnel/login-source.ts';

const windowTime = 10_000;
/** Of one source: claimed clusters and what is refused are the other side's words. */
const mostKinds = 32;
/** Of all: who has a thousand addresses writes some 30 KB a second at most. */
const mostWindows = 1_000;
const others = 'others';

export interface AgentFailure {
  event: 'AgentLoginFailed' | 'AgentRefused';
  /** What it claims, before the login. */
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
  /** Since its last line. */
  count: number;
  /** That they are of, as one: the network where there are several. */
  address: string;
  timer: Disposable;
}

const keyOf = (source: string, { event, cluster, what }: AgentFailure): string =>
  JSON.stringify([source, event, cluster, what]);

export class FailureSums implements Disposable {
  readonly #report: (sum: FailureSum) => void;
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();
  /** Windows of each source. */
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

  /** What is not written yet is written now. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    for (const window of this.#windows.values()) {
      window.timer[Symbol.dispose]();
      this.#write(window);
    }
    this.#windows.clear();
    this.#kinds.clear();
  }

  /** As it is, or as one of others where there are too many kinds or addresses for windows of their own. */
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
