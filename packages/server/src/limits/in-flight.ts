/** Limits the requests in flight (LIMIT-1), counted as in kube-apiserver: without streams, reads and writes separately. */

import { tooManyRequests } from '@fleet/kube/status.ts';
import type { Incoming } from '../http/message.ts';
import { isLongRunning } from '../pass/long-running.ts';
import type { AskedTarget } from '../target/target.ts';

export interface InFlightLimits {
  /** 0: no limit. */
  reads: number;
  writes: number;
  /** In milliseconds: how long a write above the limit waits. */
  waitMillis?: number;
}

const readingVerbs = new Set(['get', 'list', 'watch']);

const isRead = ({ ask, wire }: AskedTarget): boolean =>
  ask.is === 'resource' ? readingVerbs.has(ask.verb) : wire.method === 'GET' || wire.method === 'HEAD';

/**
 * Throws 429 above the limit. A write waits first, as in kube-apiserver's queues, in order of arrival: controllers send them in
 * bursts. Nothing of its body is read until then. As many may wait as may be in flight. A request counts until its answer was
 * written, or its client has disconnected.
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
        signal.removeEventListener('abort', leaveQueue);
      };
      const start = (): void => {
        leave();
        begin('writes', signal);
        resolve();
      };
      const leaveQueue = (): void => {
        leave();
        reject(tooManyRequests());
      };
      const timer = setTimeout(leaveQueue, waitMillis);
      signal.addEventListener('abort', leaveQueue, { once: true });
      waiting.add(start);
    });

  return {
    underWay,
    admit({ signal }: Incoming, target: AskedTarget): void | Promise<void> {
      // Health probes must work under load.
      if (target.place.at === 'here' || isLongRunning(target) || signal.aborted) return;
      const kind = isRead(target) ? 'reads' : 'writes';
      if (limits[kind] === 0 || underWay[kind] < limits[kind]) return begin(kind, signal);
      if (kind === 'reads' || waiting.size >= limits.writes) throw tooManyRequests();
      return turnOf(signal);
    },
  };
}
