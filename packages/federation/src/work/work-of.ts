/** Builds the Work of one template for one cluster, and compares it with the existing one (FED-8, FED-20). */

import { isDeepStrictEqual } from 'node:util';
import type { OwnerReference } from '@fleet/client/kube-client.ts';
import type { Binding } from '../api/bindings.ts';
import type { AnyObject } from '../api/objects.ts';
import type { Work } from '../api/works.ts';
import {
  bindingAnnotations,
  bindingIdOf,
  bindingLabels,
  conflictResolutionAnnotation,
  conflictResolutionOf,
  type Identity,
  marked,
  type Resolution,
  workIdLabel,
} from './marks.ts';
import { executionSpaceOf, workName } from './work-name.ts';

/** Until the member's object is gone, or has no marks left. */
export const executionFinalizer = 'karmada.io/execution-controller';
/** JSON of the override policies that changed the manifest. */
export const appliedOverridesAnnotation = 'policy.karmada.io/applied-overrides';
export const appliedClusterOverridesAnnotation = 'policy.karmada.io/applied-cluster-overrides';

export interface WorkParts {
  /** None for a Namespace, whose Works it owns itself (FED-10). */
  binding?: Binding | undefined;
  template: AnyObject;
  cluster: string;
  /** Revised, overridden and pruned, without marks. */
  manifest: AnyObject;
  /** The Work's own: that of the existing one, or a new one. */
  permanentId: string;
  suspended: boolean;
  overrides?: { applied?: string | undefined; clusterApplied?: string | undefined } | undefined;
  owner?: OwnerReference | undefined;
}

export function workOf(parts: WorkParts): Work {
  const { binding, template, cluster, manifest, permanentId, suspended, overrides, owner } = parts;
  const { uid, generation } = template.metadata;
  const name = workName(manifest);
  const work = { namespace: executionSpaceOf(cluster), name, permanentId };
  const identity = binding && identityOf(binding);
  const conflictResolution = binding && resolutionOf(binding, manifest);
  const annotations = {
    ...(identity && bindingAnnotations(identity)),
    ...(conflictResolution && { [conflictResolutionAnnotation]: conflictResolution }),
    ...(overrides?.clusterApplied && { [appliedClusterOverridesAnnotation]: overrides.clusterApplied }),
    ...(overrides?.applied && { [appliedOverridesAnnotation]: overrides.applied }),
  };
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: {
      name,
      namespace: work.namespace,
      labels: { ...(identity && bindingLabels(identity)), [workIdLabel]: permanentId },
      ...(Object.keys(annotations).length > 0 && { annotations }),
      finalizers: [executionFinalizer],
      ...(owner && { ownerReferences: [owner] }),
    },
    spec: {
      workload: {
        manifests: [marked(manifest, { work, binding: identity, template: { uid, generation }, conflictResolution })],
      },
      suspendDispatching: suspended,
      preserveResourcesOnDeletion: binding?.spec.preserveResourcesOnDeletion ?? false,
    },
  };
}

function identityOf(binding: Binding): Identity {
  const { namespace, name } = binding.metadata;
  const [permanentId = ''] = bindingIdOf(binding) ?? [];
  return { namespace, name, permanentId };
}

/** The template's annotation beats the policy. */
const resolutionOf = ({ spec }: Binding, manifest: AnyObject): Resolution =>
  conflictResolutionOf(manifest) ?? (spec.conflictResolution === 'Overwrite' ? 'overwrite' : 'abort');

/** The hash in names of Works has 32 bits, so two templates can share a name: the Work of another template is not taken over. */
export function isOfAnotherTemplate({ spec }: Work, template: AnyObject): boolean {
  const [manifest] = spec.workload?.manifests ?? [];
  return manifest !== undefined && identityText(manifest) !== identityText(template);
}

/** Without the version, which may change. */
const identityText = ({ apiVersion, kind, metadata: { namespace = '', name } }: AnyObject): string =>
  [apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/'))), kind, namespace, name].join('/');

/** Whether the existing Work has all that the desired one has: what others added to its metadata is no difference. */
export function sameWork(existing: Work, desired: Work): boolean {
  const [has, wants] = [existing.metadata, desired.metadata];
  return (
    isWithin(wants.labels, has.labels) &&
    isWithin(wants.annotations, has.annotations) &&
    leftOverAnnotations(existing, desired).length === 0 &&
    (wants.finalizers ?? []).every((finalizer) => has.finalizers?.includes(finalizer)) &&
    (wants.ownerReferences ?? []).every(({ uid }) => has.ownerReferences?.some((owner) => owner.uid === uid)) &&
    isDeepStrictEqual(existing.spec, desired.spec)
  );
}

/** The desired Work as an update of the existing one, whose version and whose other metadata it keeps: itself if they are the same. */
export function mergedWork(existing: Work, desired: Work): Work {
  if (sameWork(existing, desired)) return existing;
  const [has, wants] = [existing.metadata, desired.metadata];
  const leftOver = leftOverAnnotations(existing, desired);
  const kept = Object.entries(has.annotations ?? {}).filter(([key]) => !leftOver.includes(key));
  const owners = (wants.ownerReferences ?? []).filter(({ uid }) => !has.ownerReferences?.some((o) => o.uid === uid));
  return {
    ...existing,
    ...desired,
    metadata: {
      ...has,
      labels: { ...has.labels, ...wants.labels },
      annotations: { ...Object.fromEntries(kept), ...wants.annotations },
      finalizers: [...new Set([...(has.finalizers ?? []), ...(wants.finalizers ?? [])])],
      ...(owners.length > 0 && { ownerReferences: [...(has.ownerReferences ?? []), ...owners] }),
    },
  };
}

/** Overrides that no longer apply. */
const leftOverAnnotations = (existing: Work, { metadata }: Work): string[] =>
  [appliedOverridesAnnotation, appliedClusterOverridesAnnotation].filter(
    (key) => existing.metadata.annotations?.[key] !== undefined && metadata.annotations?.[key] === undefined,
  );

const isWithin = (desired: Record<string, string> = {}, existing: Record<string, string> = {}): boolean =>
  Object.entries(desired).every(([key, value]) => existing[key] === value);
