/**
 * Writes through this server that a feed's stream may not have shown yet (CACHE-7). Until it has, for 5 s at most, reads of the latest
 * state go to the member instead of that feed, so that clients read their own writes.
 */

import type { FeedId } from '@fleet/cache/messages.ts';
import { hasReached, isOlder } from '@fleet/kube/version-order.ts';
import { type Deleted, mostDeleted } from './deleted-objects.ts';

export type Write =
  /** The new resource version, from the response. */
  | { version: string }
  /** Objects that are deleted, or have begun to be. */
  | { deleted: Deleted }
  /** The response does not show what to wait for. */
  | { unknown: true };

/** How far the stream of a feed has come. */
export interface StreamProgress {
  position: string | undefined;
  /** Whether it has shown that the object of this key and uid is gone or, unless `isGone`, has a deletionTimestamp. */
  hasGone(key: string, uid: string, isGone: boolean): boolean;
}

export interface OwnWritesOptions {
  /** In milliseconds; never goes back. */
  now(): number;
}

/** In milliseconds: how long a write is waited for. */
const waitedFor = 5_000;

interface Pending {
  /** The newest version that was written. */
  version: string | undefined;
  versionUntil: number;
  /** Read live until then, whatever the stream shows. */
  unknownUntil: number;
  /** By uid. */
  deleted: Map<string, { key: string; isGone: boolean; until: number }>;
  until: number;
}

export class OwnWrites {
  private readonly now: () => number;
  /** Per feed, as each feed (API version, namespace) has its own stream; or per feed and user. The oldest write first. */
  private readonly pending = new Map<FeedId, Pending>();

  constructor({ now }: OwnWritesOptions) {
    this.now = now;
  }

  get size(): number {
    return this.pending.size;
  }

  /** Called when the member has answered, for each feed that may contain the object. */
  wrote(feed: FeedId, write: Write): void {
    const now = this.now();
    this.dropExpired(now);
    const pending = this.pending.get(feed) ?? nothing();
    const until = now + waitedFor;
    if ('version' in write) addVersion(pending, write.version, until);
    else if ('deleted' in write) addDeleted(pending, write.deleted, until);
    else pending.unknownUntil = until;
    pending.until = until;
    this.pending.delete(feed);
    this.pending.set(feed, pending);
  }

  mustReadLive(feed: FeedId, { position, hasGone }: StreamProgress): boolean {
    const pending = this.pending.get(feed);
    if (!pending) return false;
    const now = this.now();
    const { version, versionUntil, unknownUntil, deleted } = pending;
    const hasPassed = version === undefined || (position !== undefined && hasReached(position, version));
    if (hasPassed || versionUntil <= now) pending.version = undefined;
    // Checked first: before the stream reaches that version, a deleted object cannot be distinguished from one not shown yet.
    if (pending.version !== undefined) return true;
    for (const [uid, { key, isGone, until }] of deleted) {
      if (until > now && !hasGone(key, uid, isGone)) return true;
      deleted.delete(uid);
    }
    if (unknownUntil > now) return true;
    this.pending.delete(feed);
    return false;
  }

  private dropExpired(now: number): void {
    for (const [feed, { until }] of this.pending) {
      if (until > now) return;
      this.pending.delete(feed);
    }
  }
}

const nothing = (): Pending => ({
  version: undefined,
  versionUntil: 0,
  unknownUntil: 0,
  deleted: new Map(),
  until: 0,
});

/** A stream that has reached the newest version has reached all. If versions cannot be compared, only the time counts. */
function addVersion(pending: Pending, version: string, until: number): void {
  const { version: known } = pending;
  if (known === undefined || isOlder(known, version)) pending.version = version;
  else if (!hasReached(known, version)) pending.unknownUntil = until;
  pending.versionUntil = until;
}

function addDeleted(pending: Pending, { objects, version }: Deleted, until: number): void {
  if (version !== undefined) addVersion(pending, version, until);
  if (pending.deleted.size + objects.length > mostDeleted) pending.unknownUntil = until;
  else for (const { key, uid, isGone = false } of objects) pending.deleted.set(uid, { key, isGone, until });
}
