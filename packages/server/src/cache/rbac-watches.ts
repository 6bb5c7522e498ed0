/** Starts and ends the watches of RBAC objects: one for each member of which anything is cached (IMP-3). */

import type { ListGate } from '@fleet/cache/reflector/list-gate.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import type { Logger } from 'pino';
import type { ClusterName } from '../target/target.ts';
import { RbacChanges } from './rbac-changes.ts';

export interface RbacWatchesOptions {
  memberOf(cluster: ClusterName): { control: Upstream };
  gate: ListGate;
  log: Logger;
  endLater(watch: RbacChanges): void;
}

export class RbacWatches {
  private readonly options: RbacWatchesOptions;
  /** By the member's identity, which a later cluster of the same name does not have. */
  private readonly watches = new Map<string, { cluster: ClusterName; watch: RbacChanges }>();

  constructor(options: RbacWatchesOptions) {
    this.options = options;
  }

  get(member: string): RbacChanges | undefined {
    return this.watches.get(member)?.watch;
  }

  /** By cluster, whether its RBAC objects are watched just now. */
  get watched(): Map<ClusterName, boolean> {
    return new Map([...this.watches.values()].map(({ cluster, watch }) => [cluster, watch.isHealthy()]));
  }

  /** All members that are cached from now on, by identity. */
  want(members: ReadonlyMap<string, ClusterName>): void {
    const { memberOf, gate, log, endLater } = this.options;
    for (const [member, { watch }] of [...this.watches]) {
      if (members.has(member)) continue;
      this.watches.delete(member);
      endLater(watch);
    }
    for (const [member, cluster] of members) {
      if (this.watches.has(member)) continue;
      const onError = (error: unknown) =>
        log.debug({ err: error, cluster }, 'watching RBAC objects failed, and is retried');
      const watch = new RbacChanges({ member: cluster, upstream: memberOf(cluster).control, gate, onError });
      this.watches.set(member, { cluster, watch });
    }
  }
}
