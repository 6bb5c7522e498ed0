/** Combines what is known of one resource of one member (CachedResource, Reflector, shard) into its report (CACHE-2). */

import type { FeedState } from '@fleet/cache/messages.ts';
import { failureOf } from '@fleet/cache/reflector/failure.ts';
import type { Phase, ReflectorState } from '@fleet/cache/reflector/reflector-state.ts';
import type { FeedReport } from '../registries/feed-report.ts';

export interface FeedFacts {
  /** Why the format of its lists is not known yet. */
  failure: unknown;
  /** Undefined until it is known. */
  reflector: ReflectorState | undefined;
  /** Undefined until the shard has it. */
  feed: FeedState | undefined;
  /** The member's last health probes passed. */
  isReady: boolean;
}

export function feedReport({ failure, reflector, feed, isReady }: FeedFacts): FeedReport {
  if (!reflector) {
    // The shard may still have objects, but they are about to be dropped.
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
