/** One resource of one member as the cache has it: what answers say of it beside its objects, and how fresh it is. */

import type { FeedId, Shard } from '@fleet/cache/messages.ts';
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

/** Why a request went to the member although its resource is cached. */
export type LiveReason =
  | 'consistent'
  | 'not-allowed'
  | 'not-filled'
  | 'not-fresh'
  | 'version'
  | 'selector'
  | 'form'
  /** No object of that name: it may be newer than the stream (LIST-7). */
  | 'absent';
