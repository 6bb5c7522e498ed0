/** One resource of one member as the cache has it: what answers say of it beside its objects, and how fresh it is. */

import type { FeedId, Floor, Gone, Shard, Unanswerable } from '@fleet/cache/messages.ts';
import type { Selection } from '../merge/selection.ts';
import type { SharedStreams } from './shared-streams.ts';

export interface CachedFeed {
  id: FeedId;
  shard: Shard;
  /** Its events, read once for all who watch the same. */
  streams: SharedStreams;
  apiVersion: string;
  /** Of its lists as the member names it. */
  listKind: string;
  /** Lists of custom resources end with their metadata. */
  endsWithVersion: boolean;
  /** Its stream is healthy: an event or bookmark came lately, and the member is ready (CACHE-7). */
  isFresh(): boolean;
  /** The version that its stream has come to. */
  position(): string | undefined;
  /** Whether what a custom resource can be selected by has been looked at since it may have changed (CACHE-14). */
  areFieldsKnown(): boolean;
  /** False: how the member writes lists was guessed from an empty one, and there are objects now. */
  isShapeKnown(): boolean;
  /** Its objects have no managedFields (CACHE-6). */
  isPruned: boolean;
  /** Since when the member cannot be reached, in words for people; undefined while it can (CACHE-12). */
  staleSince(): string | undefined;
  /** Its member was removed, and its objects are being reported as deleted (WATCH-5). */
  isLeaving(): boolean;
}

/** A feed that named objects are read from: who is served a stale one is always warned (CACHE-12). */
export interface NamedFeed extends CachedFeed {
  /** When the member last sent something of it, in words for people. */
  lastHeard(): string;
}

/** A member's yes, asked as the user (IMP-3). */
export interface Yes {
  /** Given before the member became unreachable. */
  isOld: boolean;
  /** Calls once the member no longer allows it. Returns what ends that. */
  onLost(lost: () => void): () => void;
}

/** What a member allows one user to do with one resource, in one namespace or in all. */
export interface FeedPermissions {
  /** Undefined for anything but a yes. */
  ask(verb: 'list' | 'watch', selection: Selection, signal: AbortSignal): Promise<Yes | undefined>;
}

/** Why a request went to the member although its resource is registered. */
export type LiveReason =
  /** The client asked for it. */
  | 'consistent'
  /** The member gave the user no yes. */
  | 'not-allowed'
  /** Its first list is under way, cannot be read, or does not fit. */
  | 'not-filled'
  /** Its stream is not healthy. */
  | 'not-fresh'
  /** What was written through this server has not come back by its stream yet. */
  | 'own-write'
  /** The history does not reach back to it, or the stream has not come to it. */
  | 'version'
  /** A field selector that the cache does not know (CACHE-14). */
  | 'unknown-field'
  /** A selector that cannot be read. */
  | 'selector'
  /** A form that the cache cannot show, such as Tables of columns that have changed. */
  | 'form'
  /** Its objects are kept without managedFields (CACHE-6). */
  | 'pruned'
  /** No object of that name: it may be newer than the stream (LIST-7). */
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
