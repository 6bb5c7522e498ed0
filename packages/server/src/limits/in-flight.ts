/** How many requests may be under way at once (LIMIT-1), counted as kube-apiserver does: streams are not, reads and writes apart. */

import { tooManyRequests } from '@fleet/kube/status.ts';
import type { Incoming } from '../http/message.ts';
import { isLongRunning } from '../pass/long-running.ts';
import type { AskedTarget } from '../target/target.ts';

export interface InFlightLimits {
  /** 0: as many as come. */
  reads: number;
  writes: number;
}

const readingVerbs = new Set(['get', 'list', 'watch']);

const isRead = ({ ask, wire }: AskedTarget): boolean =>
  ask.is === 'resource' ? readingVerbs.has(ask.verb) : wire.method === 'GET' || wire.method === 'HEAD';

/** Throws 429 for one too many. A request counts until its answer has been written, or its client is gone. */
export function createInFlight(limits: InFlightLimits) {
  const underWay = { reads: 0, writes: 0 };
  return {
    underWay,
    admit({ signal }: Incoming, target: AskedTarget): void {
      // Health must be told just then.
      if (target.place.at === 'here' || isLongRunning(target) || signal.aborted) return;
      const kind = isRead(target) ? 'reads' : 'writes';
      if (limits[kind] > 0 && underWay[kind] >= limits[kind]) throw tooManyRequests();
      underWay[kind]++;
      signal.addEventListener('abort', () => underWay[kind]--, { once: true });
    },
  };
}
