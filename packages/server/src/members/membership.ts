/** Emits when members join or leave the merged views, which Clusters do far less often than they change. */

import type { ClusterName } from '../target/target.ts';
import type { MemberRegistry } from './registry.ts';

export interface MembershipListener {
  /** It was removed, or another one has its name now. */
  onLeft(cluster: ClusterName): void;
  onCame(): void;
}

type Members = Pick<MemberRegistry, 'events' | 'names' | 'uidInView'>;

/** By uid: a Cluster that is deleted and recreated may arrive as one event, without its name ever missing (CLU-6). */
export function followMembership(members: Members, { onLeft, onCame }: MembershipListener): void {
  const last = new Map(members.names().map((name) => [name, members.uidInView(name)]));
  const look = (name: ClusterName): void => {
    const [before, now] = [last.get(name), members.uidInView(name)];
    if (before === now) return;
    if (now === undefined) last.delete(name);
    else last.set(name, now);
    if (before === undefined) onCame();
    else onLeft(name);
  };
  members.events.on('seen', ({ metadata }) => look(metadata.name));
  members.events.on('gone', look);
}
