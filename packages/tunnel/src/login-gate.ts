/** Limits logins (AGENT-3): how many at the same time, how many per second from one source, and how long each may take. */

import type { Clock } from './clock.ts';
import type { TunnelLimits } from './limits.ts';
import { LoginRate } from './login-rate.ts';
import { sourceOf } from './login-source.ts';

export type GateRefusal = 'too many logins at once' | 'too many connections from one address';

export type LoginEnd = 'login took too long' | 'replaced by a login from another address';

/** A connection that is allowed to log in. Dispose it if the connection ends. */
export interface PendingLogin extends Disposable {
  /** It has logged in as an agent of that cluster. */
  succeeded(cluster: string): void;
}

interface Login {
  source: string;
  since: number;
  end(reason: LoginEnd): void;
}

type GateLimits = Pick<TunnelLimits, 'loginTime' | 'loginGrace' | 'loginsAtOnce' | 'loginsPerSecond'>;

export class LoginGate {
  readonly #clock: Clock;
  readonly #limits: GateLimits;
  /** In the order in which they connected. */
  readonly #logins = new Set<Login>();
  /** Logins by source: those in progress, and those that failed. */
  readonly #begun: LoginRate;
  /** Successful logins by cluster. */
  readonly #succeeded: LoginRate;

  constructor(clock: Clock, limits: GateLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#begun = new LoginRate(clock, limits.loginsPerSecond);
    this.#succeeded = new LoginRate(clock, limits.loginsPerSecond);
  }

  get size(): number {
    return this.#logins.size;
  }

  /** Sources that have connected within the last second, and at most as many older ones. */
  get remembered(): number {
    return this.#begun.remembered;
  }

  /** `end` is called if the login takes too long, or is replaced by another. */
  enter(address: string, end: (reason: LoginEnd) => void): PendingLogin | GateRefusal {
    const source = sourceOf(address);
    const slot = this.#begun.take(source);
    if (!slot) return 'too many connections from one address';
    if (this.#logins.size >= this.#limits.loginsAtOnce && !this.#replaceOldest(source))
      return 'too many logins at once';
    const leave = () => {
      timer[Symbol.dispose]();
      this.#logins.delete(login);
    };
    const timer = this.#clock.timer(this.#limits.loginTime, () => login.end('login took too long'));
    const login: Login = {
      source,
      since: this.#clock.now(),
      end: (reason) => {
        leave();
        end(reason);
      },
    };
    this.#logins.add(login);
    return {
      succeeded: (cluster) => {
        leave();
        // Many agents may share an address, behind NAT. But the owner of a token must not log in without limit.
        if (this.#succeeded.take(cluster)) slot[Symbol.dispose]();
      },
      [Symbol.dispose]: leave,
    };
  }

  /**
   * No source can lock others out: the oldest login of the source with the most logins is ended. If the new source would then have as
   * many as that one, only after a login's usual duration: otherwise many agents would keep ending each other's logins.
   */
  #replaceOldest(source: string): boolean {
    const counts = new Map<string, number>();
    for (const login of this.#logins) counts.set(login.source, (counts.get(login.source) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const oldest = [...this.#logins].find((login) => counts.get(login.source) === most)!;
    const ahead = most - (counts.get(source) ?? 0);
    const isSlow = this.#clock.now() - oldest.since >= this.#limits.loginGrace;
    if (ahead > 1 || (ahead === 1 && isSlow)) {
      oldest.end('replaced by a login from another address');
      return true;
    }
    return false;
  }
}
