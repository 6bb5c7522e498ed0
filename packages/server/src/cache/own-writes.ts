/**
 * What was written through this server and may not have come back by a feed's stream yet (CACHE-7). Until it has, 5 s at the
 * most, that resource of that member is read live, so that clients see their own writes.
 */

import { hasReached, isOlder } from '@fleet/kube/version-order.ts';

export type Write =
  /** The answer has the version that the object got. */
  | { version: string }
  /** The object was deleted, or will be: the answer has no version of it. */
  | { uid: string }
  /** Nothing says what to wait for, as with a collection that was deleted. */
  | { unknown: true };

/** How far the stream of a feed has come. */
export interface StreamProgress {
  position: string | undefined;
  /** Whether it has shown that this object is gone, or has a deletionTimestamp. */
  hasGone(uid: string): boolean;
}

export interface OwnWritesOptions {
  /** In milliseconds; never goes back. */
  now(): number;
}

/** In milliseconds. */
const waitedFor = 5_000;
/** Deleted objects of one resource that are looked for; with more of them it is read live for the whole time. */
const mostUids = 1_000;

interface Pending {
  /** The newest one. */
  version: string | undefined;
  versionUntil: number;
  /** Whatever the stream shows. */
  unknownUntil: number;
  uids: Map<string, number>;
  until: number;
}

export class OwnWrites {
  private readonly now: () => number;
  /** Of one resource of one cluster; the one that was written to longest ago comes first. */
  private readonly pending = new Map<string, Pending>();

  constructor({ now }: OwnWritesOptions) {
    this.now = now;
  }

  get size(): number {
    return this.pending.size;
  }

  /** `resource`: any text that names it, group included. To be called when the member has answered. */
  wrote(cluster: string, resource: string, write: Write): void {
    const now = this.now();
    this.dropExpired(now);
    const key = keyOf(cluster, resource);
    const pending = this.pending.get(key) ?? nothing();
    const until = now + waitedFor;
    if ('version' in write) addVersion(pending, write.version, until);
    else if ('uid' in write && pending.uids.size < mostUids) pending.uids.set(write.uid, until);
    else pending.unknownUntil = until;
    pending.until = until;
    this.pending.delete(key);
    this.pending.set(key, pending);
  }

  mustReadLive(cluster: string, resource: string, { position, hasGone }: StreamProgress): boolean {
    const key = keyOf(cluster, resource);
    const pending = this.pending.get(key);
    if (!pending) return false;
    const now = this.now();
    const { version, versionUntil, unknownUntil, uids } = pending;
    const hasPassed = version === undefined || (position !== undefined && hasReached(position, version));
    if (hasPassed || versionUntil <= now) pending.version = undefined;
    for (const [uid, until] of uids) if (until <= now || hasGone(uid)) uids.delete(uid);
    const isWaiting = pending.version !== undefined || uids.size > 0 || unknownUntil > now;
    if (!isWaiting) this.pending.delete(key);
    return isWaiting;
  }

  private dropExpired(now: number): void {
    for (const [key, { until }] of this.pending) {
      if (until > now) return;
      this.pending.delete(key);
    }
  }
}

const nothing = (): Pending => ({
  version: undefined,
  versionUntil: 0,
  unknownUntil: 0,
  uids: new Map(),
  until: 0,
});

/** A stream that has passed the newest has passed all of them. Versions that have no order are each waited for by time. */
function addVersion(pending: Pending, version: string, until: number): void {
  const { version: known } = pending;
  if (known === undefined || isOlder(known, version)) pending.version = version;
  else if (!hasReached(known, version)) pending.unknownUntil = until;
  pending.versionUntil = until;
}

const keyOf = (cluster: string, resource: string): string => JSON.stringify([cluster, resource]);
