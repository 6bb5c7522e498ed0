/** The connection pools of hooks: one for all hooks with the same server and certificates, closed when it is idle. */

import type { CanDial } from '@fleet/client/address-check.ts';
import type { Clock } from '@fleet/client/clock.ts';
import { HttpsUpstream } from '@fleet/client/https-upstream.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import type { DialledTarget } from './hook-target.ts';

/** Disposed when the call is over. */
export interface HookPool extends Disposable {
  upstream: Upstream;
}

export interface HookPools extends AsyncDisposable {
  of(target: DialledTarget): HookPool;
}

interface Shared {
  upstream: HttpsUpstream;
  calls: number;
  lastUsed: number;
}

/** Configurations come and go, and services move. */
const longestUnused = 5 * 60_000;

export function createHookPools(canDial: CanDial, clock: Clock): HookPools {
  const pools = new Map<string, Shared>();
  const ended = new AbortController();
  const closing = new Set<Promise<void>>();

  const close = (key: string, { upstream }: Shared): void => {
    pools.delete(key);
    const closed = upstream[Symbol.asyncDispose]().finally(() => closing.delete(closed));
    closing.add(closed);
  };

  const closeUnused = (): void => {
    const before = clock.now() - longestUnused;
    for (const [key, pool] of pools) if (pool.calls === 0 && pool.lastUsed < before) close(key, pool);
  };

  const open = ({ origin, servername, ca }: DialledTarget): Shared => ({
    upstream: new HttpsUpstream({ url: origin, tls: { ca, servername }, canDial }, ended.signal),
    calls: 0,
    lastUsed: clock.now(),
  });

  return {
    of(target) {
      ended.signal.throwIfAborted();
      closeUnused();
      const key = JSON.stringify([target.origin, target.servername, target.ca]);
      const pool = pools.get(key) ?? open(target);
      pools.set(key, pool);
      pool.calls++;
      return {
        upstream: pool.upstream,
        [Symbol.dispose]() {
          pool.calls--;
          pool.lastUsed = clock.now();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const [key, pool] of pools) close(key, pool);
      // Calls in flight are aborted: shutdown does not wait for hooks.
      ended.abort(new Error('the product is being stopped'));
      await Promise.allSettled(closing);
    },
  };
}
