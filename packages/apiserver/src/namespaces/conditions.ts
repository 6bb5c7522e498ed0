/** The conditions of a terminating namespace about its remaining content, with the texts of Kubernetes' controller. */

import type { KubeObject } from '../registry/kube-object.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';

export interface Condition {
  type: string;
  status: 'True' | 'False';
  lastTransitionTime: string;
  reason: string;
  message: string;
}

/** Objects of one kind. */
export interface Remaining {
  kind: Pick<ResourceKind, 'group' | 'resource'>;
  objects: readonly KubeObject[];
}

type Reported = Pick<Condition, 'reason' | 'message'>;

/** Conditions without an error, in their order. */
const sound: Readonly<Record<string, Reported>> = {
  NamespaceDeletionDiscoveryFailure: {
    reason: 'ResourcesDiscovered',
    message: 'All resources successfully discovered',
  },
  NamespaceDeletionGroupVersionParsingFailure: {
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  NamespaceDeletionContentFailure: {
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  NamespaceContentRemaining: { reason: 'ContentRemoved', message: 'All content successfully removed' },
  NamespaceFinalizersRemaining: {
    reason: 'ContentHasNoFinalizers',
    message: 'All content-preserving finalizers finished',
  },
};

/** Conditions of other components are kept. */
export function conditionsOf(before: readonly Condition[], remaining: readonly Remaining[], now: string): Condition[] {
  const wrong = whatRemains(remaining);
  const reported = Object.entries(sound).map(([type, well]): Condition => {
    const status = wrong[type] ? 'True' : 'False';
    const old = before.find((condition) => condition.type === type);
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : now;
    return { type, status, lastTransitionTime, ...(wrong[type] ?? well) };
  });
  const known = before.map((condition) => reported.find(({ type }) => type === condition.type) ?? condition);
  return [...known, ...reported.filter((condition) => !known.includes(condition))];
}

function whatRemains(remaining: readonly Remaining[]): Readonly<Record<string, Reported>> {
  if (remaining.length === 0) return {};
  const kinds = remaining.map(
    ({ kind: { resource, group }, objects }) => `${resource}.${group} has ${objects.length} resource instances`,
  );
  const finalizers = Map.groupBy(
    remaining.flatMap(({ objects }) => objects.flatMap(({ metadata }) => metadata.finalizers ?? [])),
    (finalizer) => finalizer,
  );
  const held = [...finalizers].map(([finalizer, all]) => `${finalizer} in ${all.length} resource instances`);
  return {
    NamespaceContentRemaining: {
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${kinds.sort().join(', ')}`,
    },
    ...(held.length > 0
      ? {
          NamespaceFinalizersRemaining: {
            reason: 'SomeFinalizersRemain',
            message: `Some content in the namespace has finalizers remaining: ${held.sort().join(', ')}`,
          },
        }
      : {}),
  };
}
