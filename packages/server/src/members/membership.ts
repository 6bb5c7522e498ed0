/** Which members are in the merged views: a Cluster changes far more often than that. */

import type { ClusterName } from '../target/target.ts';
import type { MemberRegistry } from './registry.ts';

export interface MembershipListener {
  /** It is no longer there, or is another one under its name now. */
  onLeft(cluster: ClusterName): void;
  onCame(): void;
}

type Members = Pick<MemberRegistry, 'events' | 'names' | 'uidInView'>;

/** By uid: one that was deleted and created again may arrive as one event, and its name is never missing (CLU-6). */
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
