/** One resource of one member in the cache, as requests use it: how to read it, how fresh it is, and why it cannot answer. */

import type { FeedId, Floor, Gone, Shard, Unanswerable } from '@fleet/cache/messages.ts';
import type { Selection } from '../merge/selection.ts';
import type { SharedStreams } from './shared-streams.ts';

export interface CachedFeed {
  id: FeedId;
  shard: Shard;
  /** Its events, read once for all equal watches. */
  streams: SharedStreams;
  apiVersion: string;
  /** The kind of its lists, such as `PodList`. */
  listKind: string;
  /** Whether `metadata` comes after `items` in its lists, as in those of custom resources, whose keys are sorted. */
  endsWithVersion: boolean;
  /** Its stream is healthy: an event or bookmark came lately, and the member is ready (CACHE-7). */
  isFresh(): boolean;
  /** The resource version that its stream has reached. */
  position(): string | undefined;
  /** Whether its selectableFields were read since they may last have changed (CACHE-14). */
  areFieldsKnown(): boolean;
  /** False: the format of its lists was guessed from an empty list, and there are objects now. */
  isShapeKnown(): boolean;
  /** Its objects have no managedFields (CACHE-6). */
  isPruned: boolean;
  /** The time of the last event if the member is unreachable, for the warning; otherwise undefined (CACHE-12). */
  staleSince(): string | undefined;
  /** The time of the last event or list, for the warning. */
  lastHeard(): string;
  /** Its member was removed, and its objects are being reported as deleted (WATCH-5). */
  isLeaving(): boolean;
}

/** An access review, sent as the user, in which the member allowed a request (IMP-3). */
export interface Yes {
  /** From before the member became unreachable. */
  isOld: boolean;
  /** Calls `lost` once the member no longer allows it. Returns a function that unregisters it. */
  onLost(lost: () => void): () => void;
}

/** One user's permissions on one resource of one member, in one namespace or in all. */
export interface FeedPermissions {
  /** Undefined unless the member allows it. */
  ask(
    verb: 'list' | 'watch',
    selectors: Pick<Selection, 'labelSelector' | 'fieldSelector'>,
    signal: AbortSignal,
  ): Promise<Yes | undefined>;
}

/** Why a request went to the member although its resource is registered. */
export type LiveReason =
  /** The client asked for it. */
  | 'consistent'
  /** The member did not allow it to the user, or did not answer. */
  | 'not-allowed'
  /** Its first list is under way, cannot be parsed, or does not fit. */
  | 'not-filled'
  /** Its stream is not healthy. */
  | 'not-fresh'
  /** Its stream has not shown a write through this server yet. */
  | 'own-write'
  /** The requested version has left the history, or the stream has not reached it. */
  | 'version'
  /** The cache cannot evaluate a field of the selector (CACHE-14). */
  | 'unknown-field'
  /** A selector cannot be parsed. */
  | 'selector'
  /** The cache cannot show the requested form, such as a Table whose columns have changed. */
  | 'form'
  /** Its objects are kept without managedFields (CACHE-6). */
  | 'pruned'
  /** There is no object of that name: it may be newer than the stream (LIST-7). */
  | 'absent';

export function liveReasonOf({ is }: Gone | Floor | Unanswerable): LiveReason {
  switch (is) {
    case 'gone':
      return 'not-filled';
    case 'floor':
      return 'version';
    case 'unknown-field':
      return is;
    case 'invalid-selector':
      return 'selector';
    case 'no-table':
      return 'form';
    default:
      return is satisfies never;
  }
}
