/** What is reported of one resource of one member: put together from whoever learns its shape, fills it and keeps it (CACHE-2). */

import type { FeedState } from '@fleet/cache/messages.ts';
import { failureOf } from '@fleet/cache/reflector/failure.ts';
import type { Phase, ReflectorState } from '@fleet/cache/reflector/reflector-state.ts';
import type { FeedReport } from '../registries/feed-report.ts';

export interface FeedFacts {
  /** Why the shape of its lists is not known. */
  failure: unknown;
  /** Undefined until that is known. */
  reflector: ReflectorState | undefined;
  /** Undefined until the shard has it. */
  feed: FeedState | undefined;
  /** The member's last probes were well. */
  isReady: boolean;
}

export function feedReport({ failure, reflector, feed, isReady }: FeedFacts): FeedReport {
  if (!reflector) {
    // What the shard may still have of it is about to go.
    const nothing = { objects: 0, bytes: 0 };
    if (failure === undefined) return { is: 'filling', ...nothing };
    const { phase = 'filling', reason } = failureOf(failure);
    return { is: stateOf[phase], ...nothing, error: reason };
  }
  const { objects = 0, bytes = 0, full } = feed ?? {};
  const counts = { objects, bytes, lastEvent: reflector.lastEvent };
  const is = stateOf[reflector.is];
  if (is === 'synced' && !isReady)
    return { is: 'unreachable', ...counts, error: 'the health probe of the cluster fails' };
  if (is === 'full') return { is, ...counts, error: `${reflector.lastError}, with ${full?.objects ?? 0} objects read` };
  return { is, ...counts, error: reflector.lastError };
}

const stateOf: Record<Phase, FeedReport['is']> = {
  synced: 'synced',
  filling: 'filling',
  unreachable: 'unreachable',
  failing: 'unreadable',
  full: 'full',
  absent: 'not-served',
  refused: 'not-granted',
};
