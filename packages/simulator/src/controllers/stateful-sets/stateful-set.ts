/** The StatefulSet kind: its ordinals, and the pods and claims of each. */

import type { SelectorObject } from '@fleet/apiserver/selectors/selector-object.ts';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Pod } from '../../pods/pod.ts';
import { type ControllerKind, controllerRef } from '../shared/controller-ref.ts';
import type { Condition, PodTemplate } from '../shared/objects.ts';
import { type NewPod, podFromTemplate } from '../shared/pod-control.ts';

export interface Claim extends KubeObject {
  spec?: object;
  status?: object;
}

export interface StatefulSetStatus {
  observedGeneration?: number;
  replicas: number;
  readyReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  availableReplicas: number;
  currentRevision?: string;
  updateRevision?: string;
  collisionCount?: number;
  conditions?: Condition[];
}

export interface StatefulSet extends KubeObject {
  spec: {
    replicas?: number;
    serviceName?: string;
    selector: SelectorObject;
    template: PodTemplate;
    volumeClaimTemplates?: Claim[];
    podManagementPolicy?: string;
    updateStrategy?: { type?: string; rollingUpdate?: { partition?: number } };
    revisionHistoryLimit?: number;
    minReadySeconds?: number;
    ordinals?: { start?: number };
    persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
  };
  status?: StatefulSetStatus;
}

export const statefulSets: ControllerKind = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  root: 'apis/apps/v1',
  resource: 'statefulsets',
};

export const claimPaths = { root: 'api/v1', resource: 'persistentvolumeclaims' };

const podNameLabel = 'statefulset.kubernetes.io/pod-name';
const podIndexLabel = 'apps.kubernetes.io/pod-index';
const revisionLabel = 'controller-revision-hash';

export const desiredReplicas = ({ spec }: StatefulSet): number => spec.replicas ?? 1;
export const startOrdinal = ({ spec }: StatefulSet): number => spec.ordinals?.start ?? 0;
export const isParallel = ({ spec }: StatefulSet): boolean => spec.podManagementPolicy === 'Parallel';

/** The ordinal in a pod's name, if the set would have given it that name. */
export function ordinalOf({ metadata }: StatefulSet, pod: { metadata: Partial<Pod['metadata']> }): number | undefined {
  const { name = '' } = pod.metadata;
  if (!name.startsWith(`${metadata.name}-`)) return undefined;
  const text = name.slice(metadata.name.length + 1);
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

export function isInRange(set: StatefulSet, ordinal: number): boolean {
  return ordinal >= startOrdinal(set) && ordinal < startOrdinal(set) + desiredReplicas(set);
}

const claimName = ({ metadata }: StatefulSet, template: Claim, ordinal: number): string =>
  `${template.metadata.name}-${metadata.name}-${ordinal}`;

export function claimsOf(set: StatefulSet, ordinal: number): Claim[] {
  const { selector, volumeClaimTemplates = [] } = set.spec;
  return volumeClaimTemplates.map((template) => {
    const { status: _, ...claim } = structuredClone(template);
    const labels = { ...claim.metadata.labels, ...selector.matchLabels };
    return {
      ...claim,
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        ...claim.metadata,
        name: claimName(set, template, ordinal),
        namespace: set.metadata.namespace!,
        ...(Object.keys(labels).length > 0 ? { labels } : {}),
      },
    };
  });
}

export const revisionOf = ({ metadata }: { metadata: Partial<Pod['metadata']> }): string =>
  metadata.labels?.[revisionLabel] ?? '';

/** Sets the names, labels and volumes of the pod's ordinal. */
export function withIdentity<T extends NewPod | Pod>(set: StatefulSet, pod: T, ordinal: number): T {
  const name = `${set.metadata.name}-${ordinal}`;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name,
      namespace: set.metadata.namespace!,
      labels: { ...pod.metadata.labels, [podNameLabel]: name, [podIndexLabel]: String(ordinal) },
    },
    spec: { ...pod.spec, ...volumesOf(set, pod, ordinal) },
  };
}

function volumesOf(set: StatefulSet, { spec }: NewPod | Pod, ordinal: number): Pick<Pod['spec'], 'volumes'> {
  const { volumeClaimTemplates = [] } = set.spec;
  const claimed = new Set(volumeClaimTemplates.map(({ metadata }) => metadata.name));
  const volumes = [
    ...volumeClaimTemplates.map((template) => ({
      name: template.metadata.name,
      persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
    })),
    ...(spec.volumes ?? []).filter(({ name }) => !claimed.has(name)),
  ];
  return volumes.length > 0 ? { volumes } : {};
}

export function hasIdentity(set: StatefulSet, { metadata, spec }: Pod, ordinal: number): boolean {
  if (metadata.labels?.[podNameLabel] !== metadata.name) return false;
  const claims = new Map(spec.volumes?.map(({ name, persistentVolumeClaim: claim }) => [name, claim?.claimName]));
  return (set.spec.volumeClaimTemplates ?? []).every(
    (template) => claims.get(template.metadata.name) === claimName(set, template, ordinal),
  );
}

/** `set` with the template of the revision. */
export function newStatefulPod(set: StatefulSet, template: PodTemplate, revision: string, ordinal: number): NewPod {
  const pod = podFromTemplate(template, set.metadata.name, controllerRef(statefulSets, set));
  const named = withIdentity(set, pod, ordinal);
  named.metadata.labels = { ...named.metadata.labels, [revisionLabel]: revision };
  named.spec.hostname = named.metadata.name!;
  if (set.spec.serviceName) named.spec.subdomain = set.spec.serviceName;
  return named;
}
