/** Who may begin a login (AGENT-3): so many connections at once, so many new ones a second from one source, each for a limited time. */

import type { Clock } from './clock.ts';
import type { TunnelLimits } from './limits.ts';
import { LoginRate } from './login-rate.ts';
import { sourceOf } from './login-source.ts';

export type GateRefusal = 'too many logins at once' | 'too many connections from one address';

export type LoginEnd = 'login took too long' | 'replaced by a login from another address';

/** A connection that may log in. Disposing is for one that is gone. */
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
  /** In the order in which they came. */
  readonly #logins = new Set<Login>();
  /** By their source: those that are under way, or have failed. */
  readonly #begun: LoginRate;
  /** By their cluster. */
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

  /** Sources that have connected within the last second, and up to as many that have before. */
  get remembered(): number {
    return this.#begun.remembered;
  }

  /** `end` is called when it takes too long, or for another. */
  enter(address: string, end: (reason: LoginEnd) => void): PendingLogin | GateRefusal {
    const source = sourceOf(address);
    const place = this.#begun.take(source);
    if (!place) return 'too many connections from one address';
    if (this.#logins.size >= this.#limits.loginsAtOnce && !this.#makeRoom(source)) return 'too many logins at once';
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
        // Many agents may share an address, behind NAT. But whoever has a token must not log in without end.
        if (this.#succeeded.take(cluster)) place[Symbol.dispose]();
      },
      [Symbol.dispose]: leave,
    };
  }

  /**
   * Nobody keeps others out: the oldest login makes room, of the sources that have most. Where the newcomer would then have as many
   * as they are left with, no sooner than a login takes: else a crowd of agents would end each other's.
   */
  #makeRoom(source: string): boolean {
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
