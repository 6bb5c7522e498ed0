/** Translates a Cluster's status into KubeSphere's form: Initialized, AgentAvailable, Ready, then the other conditions unchanged. */

import { type Cluster, type Condition, connectionTypeOf } from '../members/cluster.ts';
import type { KubeSphereCondition, KubeSphereStatus } from './kubesphere-cluster.ts';

type DerivedCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

export function shownStatus(cluster: Cluster): KubeSphereStatus {
  const { spec, status = {} } = cluster;
  const zones = spec.zones ?? (spec.zone ? [spec.zone] : undefined);
  return {
    conditions: conditionsOf(cluster),
    ...(status.kubernetesVersion ? { kubernetesVersion: status.kubernetesVersion } : {}),
    ...(status.nodeSummary ? { nodeCount: status.nodeSummary.totalNum } : {}),
    ...(zones ? { zones } : {}),
    ...(spec.region ? { region: spec.region } : {}),
    ...(spec.id ? { uid: spec.id } : {}),
  };
}

const first = ['Initialized', 'AgentAvailable', 'Ready'];

function conditionsOf(cluster: Cluster): KubeSphereCondition[] {
  const known = cluster.status?.conditions ?? [];
  const find = (type: string) => known.find((one) => one.type === type);
  const ready = find('Ready');
  const derived = (condition: DerivedCondition): Condition => ({
    ...condition,
    lastTransitionTime: ready?.lastTransitionTime ?? cluster.metadata.creationTimestamp ?? '',
  });
  return [
    find('Initialized') ?? derived(initialized(cluster, ready)),
    find('AgentAvailable') ?? derived(agentAvailable(cluster)),
    ready ?? derived(neverProbed),
    ...known.filter(({ type }) => !first.includes(type)),
  ].map((one) => ({ ...one, lastUpdateTime: one.lastTransitionTime }));
}

/** True once the cluster was reached: from then on only Ready changes. */
function initialized({ status }: Cluster, ready: Condition | undefined): DerivedCondition {
  if (status?.kubernetesVersion || ready?.status === 'True')
    return { type: 'Initialized', status: 'True', reason: 'Initialized', message: 'cluster has been reached' };
  const { reason = 'NotReachedYet', message = 'cluster has not been reached yet' } = ready ?? {};
  return { type: 'Initialized', status: 'False', reason, message };
}

/** If no agent has reported: a cluster that is reached directly needs none. */
function agentAvailable(cluster: Cluster): DerivedCondition {
  const type = 'AgentAvailable';
  return connectionTypeOf(cluster) === 'direct'
    ? { type, status: 'True', reason: 'DirectConnection', message: 'cluster is reached directly, without an agent' }
    : { type, status: 'False', reason: 'AgentNotConnected', message: 'no agent of the cluster is connected' };
}

const neverProbed: DerivedCondition = {
  type: 'Ready',
  status: 'Unknown',
  reason: 'ClusterStatusNeverUpdated',
  message: 'cluster has not been probed yet',
};
