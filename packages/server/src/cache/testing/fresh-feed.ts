/** A feed of pods that is fresh and whole, for tests of what reads it. */

import type { Shard } from '@fleet/cache/messages.ts';
import { podFeed } from '@fleet/cache/testing/sample-objects.ts';
import type { CachedFeed } from '../cached-feed.ts';
import { SharedStreams } from '../shared-streams.ts';

export const freshFeed = (shard: Shard, position: () => string | undefined): CachedFeed => ({
  id: podFeed.id,
  shard,
  streams: new SharedStreams(shard),
  apiVersion: 'v1',
  listKind: 'PodList',
  endsWithVersion: false,
  areFieldsKnown: () => true,
  isShapeKnown: () => true,
  isPruned: false,
  isFresh: () => true,
  position,
  staleSince: () => undefined,
  lastHeard: () => '2026-01-01T00:00:00.000Z',
  isLeaving: () => false,
});
