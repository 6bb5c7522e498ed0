/** How many requests may be under way at once (LIMIT-1), counted as kube-apiserver does: streams are not, reads and writes apart. */

import { tooManyRequests } from '@fleet/kube/status.ts';
import type { Incoming } from '../http/message.ts';
import { isLongRunning } from '../pass/long-running.ts';
import type { AskedTarget } from '../target/target.ts';

export interface InFlightLimits {
  /** 0: as many as come. */
  reads: number;
  writes: number;
  /** How long a write above the limit waits. */
  waitMillis?: number;
}

const readingVerbs = new Set(['get', 'list', 'watch']);

const isRead = ({ ask, wire }: AskedTarget): boolean =>
  ask.is === 'resource' ? readingVerbs.has(ask.verb) : wire.method === 'GET' || wire.method === 'HEAD';

/**
 * Throws 429 for one too many. A write waits first, as in kube-apiserver's queues, in the order of arrival: controllers send them in
 * bursts. Nothing of its body has been read then. As many wait as may be under way. A request counts until its answer has been
 * written, or its client is gone.
 */
export function createInFlight({ waitMillis = 5_000, ...limits }: InFlightLimits) {
  const underWay = { reads: 0, writes: 0 };
  const waiting = new Set<() => void>();

  const begin = (kind: keyof typeof underWay, signal: AbortSignal): void => {
    underWay[kind]++;
    signal.addEventListener('abort', () => end(kind), { once: true });
  };
  const end = (kind: keyof typeof underWay): void => {
    underWay[kind]--;
    if (kind !== 'writes') return;
    const [next] = waiting;
    next?.();
  };

  const turnOf = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(start);
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
      };
      const start = (): void => {
        leave();
        begin('writes', signal);
        resolve();
      };
      const giveUp = (): void => {
        leave();
        reject(tooManyRequests());
      };
      const timer = setTimeout(giveUp, waitMillis);
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.add(start);
    });

  return {
    underWay,
    admit({ signal }: Incoming, target: AskedTarget): void | Promise<void> {
      // Health must be told just then.
      if (target.place.at === 'here' || isLongRunning(target) || signal.aborted) return;
      const kind = isRead(target) ? 'reads' : 'writes';
      if (limits[kind] === 0 || underWay[kind] < limits[kind]) return begin(kind, signal);
      if (kind === 'reads' || waiting.size >= limits.writes) throw tooManyRequests();
      return turnOf(signal);
    },
  };
}
