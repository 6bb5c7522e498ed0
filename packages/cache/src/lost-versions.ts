/**
 * The newest versions from before members were restored from a backup, or led to another server, by resource. They outlive the feeds: one
 * that is filled again must not take such a version for one of its own, or for one that is still to come (CACHE-5).
 */

import { isOlder } from '@fleet/kube/version-order.ts';
import type { FeedSpec } from './messages.ts';

type Resource = Pick<FeedSpec, 'cluster' | 'group' | 'resource'>;

/** If more resources have lost versions, the oldest marks are dropped. */
const mostKept = 5_000;

export class LostVersions {
  private readonly newest = new Map<string, string>();

  of(resource: Resource): string | undefined {
    return this.newest.get(keyOf(resource));
  }

  add(resource: Resource, version: string): void {
    const key = keyOf(resource);
    const known = this.newest.get(key);
    this.newest.delete(key);
    this.newest.set(key, known === undefined || isOlder(known, version) ? version : known);
    if (this.newest.size > mostKept) this.newest.delete(this.newest.keys().next().value!);
  }
}

/** All API versions and namespaces of a resource share its versions. */
const keyOf = ({ cluster, group, resource }: Resource): string => JSON.stringify([cluster, group, resource]);
