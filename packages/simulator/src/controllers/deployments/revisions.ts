/** Revisions of a Deployment: which ReplicaSet is the new one, and its annotations for revision and size. */

import { type ReplicaSet, replicasOf } from '../replica-sets/replica-set.ts';
import { isSameTemplate } from '../shared/pod-template.ts';
import { byCreation, type Deployment, desiredReplicas, maxSurge } from './deployment.ts';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
const revisionHistory = 'deployment.kubernetes.io/revision-history';
const desiredReplicasAnnotation = 'deployment.kubernetes.io/desired-replicas';
const maxReplicasAnnotation = 'deployment.kubernetes.io/max-replicas';
export const rollbackTo = 'deprecated.deployment.rollback.to';

/** All other annotations are copied from the Deployment to its new ReplicaSet. */
const notCopied = [
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  revisionHistory,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  rollbackTo,
];

const longestHistory = 2000;

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && text !== '' && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;

/** Revisions are Go's int64, which a JavaScript number may not hold exactly. */
export const readRevision = (text: string): bigint | undefined =>
  /^[+-]?\d{1,19}$/.test(text) ? BigInt(text.replace('+', '')) : undefined;

/** 0 if it has none. */
export const revisionOf = ({ metadata }: ReplicaSet): bigint =>
  readRevision(metadata.annotations?.[revisionAnnotation] ?? '') ?? 0n;

const compare = (left: bigint, right: bigint): number => (left < right ? -1 : Number(left > right));

export const maxRevision = (sets: readonly ReplicaSet[]): bigint => [0n, ...sets.map(revisionOf)].sort(compare).at(-1)!;

/** The second newest revision. */
export function lastRevision(sets: readonly ReplicaSet[]): bigint {
  const [, second = 0n] = sets.map(revisionOf).sort((left, right) => compare(right, left));
  return second;
}

export const byRevision = (left: ReplicaSet, right: ReplicaSet): number =>
  compare(revisionOf(left), revisionOf(right)) || byCreation(left, right);

/** The oldest ReplicaSet with the Deployment's template. */
export const newSetOf = (deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined =>
  [...sets].sort(byCreation).find(({ spec }) => isSameTemplate(spec.template, deployment.spec.template));

export const desiredOf = ({ metadata }: ReplicaSet): number | undefined =>
  wholeNumber(metadata.annotations?.[desiredReplicasAnnotation]);

export const maxReplicasOf = ({ metadata }: ReplicaSet): number | undefined =>
  wholeNumber(metadata.annotations?.[maxReplicasAnnotation]);

export const sizeAnnotations = (deployment: Deployment): Record<string, string> => ({
  [desiredReplicasAnnotation]: String(desiredReplicas(deployment)),
  [maxReplicasAnnotation]: String(desiredReplicas(deployment) + maxSurge(deployment)),
});

export const hasSizeAnnotations = ({ metadata }: ReplicaSet, deployment: Deployment): boolean =>
  Object.entries(sizeAnnotations(deployment)).every(([key, value]) => metadata.annotations?.[key] === value);

/** Annotations of the new ReplicaSet: those of the Deployment, its revision, and its earlier revisions. */
export function newSetAnnotations(
  deployment: Deployment,
  existing: ReplicaSet | undefined,
  revision: bigint,
): Record<string, string> {
  const annotations: Record<string, string> = { ...existing?.metadata.annotations };
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) {
    if (!notCopied.includes(key)) annotations[key] = value;
  }
  const before = annotations[revisionAnnotation];
  const number = before === undefined || before === '' ? 0n : readRevision(before);
  // An invalid revision is not changed.
  if (number === undefined) return annotations;
  if (number < revision) {
    annotations[revisionAnnotation] = String(revision);
    if (before !== undefined) {
      const history = withRevision(annotations[revisionHistory] ?? '', before);
      if (history !== undefined) annotations[revisionHistory] = history;
    }
  }
  return existing ? annotations : { ...annotations, ...sizeAnnotations(deployment) };
}

/** The oldest revisions are dropped if the text becomes too long. */
function withRevision(history: string, revision: string): string | undefined {
  if (history === '' || history.startsWith(',')) return revision;
  const revisions = history.split(',');
  let length = history.length + revision.length + 1;
  while (length > longestHistory && revisions.length > 0) length -= revisions.shift()!.length + 1;
  return length <= longestHistory ? [...revisions, revision].join(',') : undefined;
}

/** After a rollback: annotations of the ReplicaSet, and those of the Deployment that are never copied. */
export const rolledBackAnnotations = (deployment: Deployment, set: ReplicaSet): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => notCopied.includes(key)),
  ),
  ...Object.fromEntries(Object.entries(set.metadata.annotations ?? {}).filter(([key]) => !notCopied.includes(key))),
});

/** It has its desired size, and all its pods are available. */
export const isSaturated = (deployment: Deployment, set: ReplicaSet | undefined): boolean => {
  const desired = desiredReplicas(deployment);
  return (
    set !== undefined &&
    replicasOf(set) === desired &&
    desiredOf(set) === desired &&
    (set.status?.availableReplicas ?? 0) === desired
  );
};
