/** Derives what a feed's stream has to show of a write from what it had shown before the write was sent (CACHE-7). */

import { hasReached } from '@fleet/kube/version-order.ts';
import type { Observed, Unconfirmed } from './observed-writes.ts';
import type { Write } from './own-writes.ts';

/** Read before the write is sent: an object that the stream has not shown yet would look as if it were deleted. */
export interface Shown {
  position: string | undefined;
  /** The object that is written; undefined if the feed has none, or the request does not name it. */
  object: { uid: string; version: string } | undefined;
}

/** What the stream has to show before the feed is read again. */
export function awaited(write: Exclude<Observed, Unconfirmed>, key: string | undefined, { object }: Shown): Write {
  if ('evicted' in write) {
    return object === undefined || key === undefined
      ? { unknown: true }
      : { deleted: { objects: [{ key, uid: object.uid }] } };
  }
  if (!('deleted' in write) || write.deleted.version !== undefined) return write;
  return write.deleted.objects.every(({ uid }) => uid === object?.uid) ? write : { unknown: true };
}

/**
 * Whether the write got a version that the stream had passed before. Only a member that was restored from a backup assigns such
 * versions (CACHE-5). One that changes nothing gets the version that the object had.
 */
export const isFromRestored = (write: Observed, { position, object }: Shown): boolean =>
  'version' in write &&
  position !== undefined &&
  hasReached(position, write.version) &&
  object?.version !== write.version;
