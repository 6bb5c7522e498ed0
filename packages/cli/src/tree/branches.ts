/** Builds the branches of a tree: for each cluster its replicas, its Work and its object. */

import type { Binding, Health, TargetCluster } from '@fleet/federation/api/bindings.ts';
import type { AnyObject, Condition } from '@fleet/federation/api/objects.ts';
import type { Work } from '@fleet/federation/api/works.ts';
import { byName } from '@fleet/federation/schedule/by-name.ts';
import { clusterOfSpace } from '@fleet/federation/work/work-name.ts';
import type { FederatedMember } from '../federated-members.ts';
import type { MemberObject, Reading } from './reading.ts';

export interface Branch {
  cluster: string;
  /** Undefined for one that the object is to leave, which still has a Work. */
  target: TargetCluster | undefined;
  member: FederatedMember | undefined;
  work: Work | undefined;
  object: MemberObject;
}

/** In the order of names. */
export function branchesOf({ binding, works, members, objects }: Reading): Branch[] {
  const targets = binding ? targetsOf(binding) : new Map<string, TargetCluster>();
  const worksByCluster = new Map(works.map((work) => [clusterOfSpace(work.metadata.namespace ?? '') ?? '', work]));
  const names = new Set([...targets.keys(), ...worksByCluster.keys()]);
  return [...names]
    .map((name) => ({ name }))
    .sort(byName)
    .map(({ name }) => ({
      cluster: name,
      target: targets.get(name),
      member: members.find(({ cluster }) => cluster.metadata.name === name),
      work: worksByCluster.get(name),
      object: objects.get(name) ?? { is: 'unread', why: 'it was not read' },
    }));
}

/** Its own clusters, and those of what it is a dependency of. */
function targetsOf({ spec }: Binding): Map<string, TargetCluster> {
  const own = (spec.clusters ?? []).map((target): [string, TargetCluster] => [target.name, target]);
  const required = (spec.requiredBy ?? [])
    .flatMap(({ clusters = [] }) => clusters)
    .map(({ name }): [string, TargetCluster] => [name, { name }]);
  return new Map([...required, ...own]);
}

export const conditionOf = (
  { status }: { status?: { conditions?: Condition[] } },
  type: string,
): Condition | undefined => status?.conditions?.find((condition) => condition.type === type);

/** Undefined where nobody has looked at it yet. */
export const healthOf = ({ status }: Work): Health | undefined => status?.manifestStatuses?.[0]?.health;

interface Counters {
  replicas?: number;
  readyReplicas?: number;
  updatedReplicas?: number;
  desiredNumberScheduled?: number;
  numberReady?: number;
}

/** `2 of 3 replicas ready`. Undefined for what has none. */
export function readyText({ spec, status }: AnyObject): string | undefined {
  const { replicas } = (spec ?? {}) as { replicas?: number };
  const { readyReplicas = 0, updatedReplicas, desiredNumberScheduled, numberReady } = (status ?? {}) as Counters;
  if (desiredNumberScheduled !== undefined) return `${numberReady ?? 0} of ${desiredNumberScheduled} pods ready`;
  if (replicas === undefined) return undefined;
  const isRolling = updatedReplicas !== undefined && updatedReplicas < replicas;
  return `${readyReplicas} of ${replicas} replicas ready${isRolling ? `, ${updatedReplicas} of them new` : ''}`;
}
