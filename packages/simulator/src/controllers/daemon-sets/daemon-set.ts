/** The DaemonSet kind, and its pods for nodes. */

import type { SelectorObject } from '@fleet/apiserver/selectors/selector-object.ts';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Affinity, Pod, PodSpec, Toleration } from '../../pods/pod.ts';
import type { ControllerKind } from '../shared/controller-ref.ts';
import { scaled } from '../shared/int-or-percent.ts';
import type { Condition, IntOrPercent, PodTemplate } from '../shared/objects.ts';

export interface DaemonSetStatus {
  currentNumberScheduled: number;
  numberMisscheduled: number;
  desiredNumberScheduled: number;
  numberReady: number;
  observedGeneration?: number;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  numberUnavailable?: number;
  collisionCount?: number;
  conditions?: Condition[];
}

export interface DaemonSet extends KubeObject {
  spec: {
    selector: SelectorObject;
    template: PodTemplate;
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
    updateStrategy?: {
      type?: string;
      rollingUpdate?: { maxUnavailable?: IntOrPercent; maxSurge?: IntOrPercent };
    };
  };
  status?: DaemonSetStatus;
}

export const daemonSets: ControllerKind = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  root: 'apis/apps/v1',
  resource: 'daemonsets',
};

export const hashLabel = 'controller-revision-hash';
const generationLabel = 'pod-template-generation';
const generationAnnotation = 'deprecated.daemonset.template.generation';

export const isRollingUpdate = ({ spec }: DaemonSet): boolean =>
  (spec.updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate';

export const surgeOf = (set: DaemonSet, count: number): number =>
  isRollingUpdate(set) ? scaled(set.spec.updateStrategy?.rollingUpdate?.maxSurge, count, true) : 0;

/** At least one if otherwise nothing could change. */
export function unavailableOf(set: DaemonSet, count: number): number {
  const most = isRollingUpdate(set) ? scaled(set.spec.updateStrategy?.rollingUpdate?.maxUnavailable, count, true) : 0;
  return count > 0 && most === 0 && surgeOf(set, count) === 0 ? 1 : most;
}

const generationOf = ({ metadata }: DaemonSet): string | undefined => metadata.annotations?.[generationAnnotation];

export function isUpdated(set: DaemonSet, { metadata }: Pod, hash: string): boolean {
  const generation = generationOf(set);
  if (metadata.labels?.[hashLabel] === hash) return true;
  return generation !== undefined && metadata.labels?.[generationLabel] === generation;
}

/** The taints that daemons tolerate: they run before a node is ready for other pods, and continue when it no longer is. */
const tolerated: readonly (readonly [string, string])[] = [
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoExecute'],
  ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
  ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
  ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
  ['node.kubernetes.io/unschedulable', 'NoSchedule'],
];

export function daemonTolerations({ tolerations = [], hostNetwork }: PodSpec): Toleration[] {
  const network = [['node.kubernetes.io/network-unavailable', 'NoSchedule']] as const;
  const added = [...tolerated, ...(hostNetwork ? network : [])].map(([key, effect]) => ({
    key,
    operator: 'Exists',
    effect,
  }));
  const isAdded = ({ key, operator, value, effect, tolerationSeconds }: Toleration) =>
    operator === 'Exists' &&
    !value &&
    tolerationSeconds === undefined &&
    added.some((one) => one.key === key && one.effect === effect);
  return [...tolerations.filter((one) => !isAdded(one)), ...added];
}

export function daemonTemplate(set: DaemonSet, hash: string, node: string): PodTemplate {
  const { metadata, spec } = set.spec.template;
  const generation = generationOf(set);
  return {
    metadata: {
      ...metadata,
      labels: {
        ...metadata?.labels,
        ...(generation === undefined ? {} : { [generationLabel]: generation }),
        [hashLabel]: hash,
      },
    },
    spec: { ...spec, tolerations: daemonTolerations(spec), affinity: pinned(spec.affinity, node) },
  };
}

/** Lets the scheduler choose only that node. */
const pinned = (affinity: Affinity | undefined, node: string): Affinity => ({
  ...affinity,
  nodeAffinity: {
    ...affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
    },
  },
});

/** The node where it runs, or is going to run. */
export function nodeOf({ spec }: Pod): string | undefined {
  if (spec.nodeName) return spec.nodeName;
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  for (const { matchFields = [] } of terms) {
    const field = matchFields.find(({ key, operator }) => key === 'metadata.name' && operator === 'In');
    if (field) return field.values?.length === 1 ? field.values[0] : undefined;
  }
  return undefined;
}
