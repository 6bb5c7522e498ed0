/** Revisions of a StatefulSet: the current one of its pods, and the one to update to. */

import { fnv32, safeEncoded } from '../../hashes.ts';
import { controllerRef } from '../shared/controller-ref.ts';
import { byRevisionNumber, type ControllerRevision, dataText, revisionData } from '../shared/controller-revision.ts';
import { type StatefulSet, statefulSets } from './stateful-set.ts';

const hashLabel = 'controller.kubernetes.io/hash';
const longestPrefix = 223;

/** The revision of the current template, with the hash that Kubernetes computes. */
export function newRevision(set: StatefulSet, revision: number, collisionCount: number): ControllerRevision {
  const { metadata, spec } = set;
  const data = revisionData(spec.template);
  const hash = safeEncoded(String(fnv32(Buffer.from(`${dataText(data)}${collisionCount}`))));
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${metadata.name.slice(0, longestPrefix)}-${hash}`,
      namespace: metadata.namespace!,
      labels: { ...spec.template.metadata?.labels, [hashLabel]: hash },
      ...(metadata.annotations ? { annotations: metadata.annotations } : {}),
      ownerReferences: [controllerRef(statefulSets, set)],
    },
    data,
    revision,
  };
}

export type RevisionStep =
  | { do: 'keep'; revision: ControllerRevision }
  /** An earlier revision becomes the newest. */
  | { do: 'renumber'; revision: ControllerRevision; number: number }
  | { do: 'create'; revision: ControllerRevision };

/** The step that makes the current template the newest revision. */
export function revisionStep(set: StatefulSet, known: readonly ControllerRevision[]): RevisionStep {
  const sorted = [...known].sort(byRevisionNumber);
  const newest = sorted.at(-1);
  const number = (newest?.revision ?? 0) + 1;
  const proposed = newRevision(set, number, set.status?.collisionCount ?? 0);
  const text = dataText(proposed.data);
  const equal = sorted.filter(({ data }) => dataText(data) === text).at(-1);
  if (!equal) return { do: 'create', revision: proposed };
  return equal === newest ? { do: 'keep', revision: equal } : { do: 'renumber', revision: equal, number };
}

/** The oldest revisions in excess of the limit, except those that pods and the status refer to. */
export function excessRevisions(
  set: StatefulSet,
  known: readonly ControllerRevision[],
  live: ReadonlySet<string>,
): ControllerRevision[] {
  const history = known.filter(({ metadata }) => !live.has(metadata.name)).sort(byRevisionNumber);
  const limit = set.spec.revisionHistoryLimit ?? 10;
  return history.slice(0, Math.max(0, history.length - limit));
}
