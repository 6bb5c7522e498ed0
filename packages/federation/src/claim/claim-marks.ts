/** The marks by which a template and its binding belong to a policy: labels and annotations of one of two kinds, never both (FED-3). */

import type { KubeObject, ObjectMeta } from '@fleet/client/kube-client.ts';

export const permanentIdLabels = {
  namespaced: 'propagationpolicy.karmada.io/permanent-id',
  cluster: 'clusterpropagationpolicy.karmada.io/permanent-id',
} as const;

const namespacedName = 'propagationpolicy.karmada.io/name';
const namespacedNamespace = 'propagationpolicy.karmada.io/namespace';
const clusterName = 'clusterpropagationpolicy.karmada.io/name';

export const claimLabelKeys: ReadonlySet<string> = new Set(Object.values(permanentIdLabels));
export const claimAnnotationKeys: ReadonlySet<string> = new Set([namespacedName, namespacedNamespace, clusterName]);

/** The id is what counts; the names are for people, and empty where somebody removed them. */
export type Claim =
  | { by: 'namespaced'; id: string; namespace: string; name: string }
  | { by: 'cluster'; id: string; name: string };

type Marked = Pick<KubeObject, 'metadata'>;

/** Of a template or a binding. Where it has both kinds of marks, the namespace's policy counts. */
export function claimOn({ metadata: { labels, annotations } }: Marked): Claim | undefined {
  const namespacedId = labels?.[permanentIdLabels.namespaced];
  if (namespacedId) {
    const namespace = annotations?.[namespacedNamespace] ?? '';
    return { by: 'namespaced', id: namespacedId, namespace, name: annotations?.[namespacedName] ?? '' };
  }
  const id = labels?.[permanentIdLabels.cluster];
  return id ? { by: 'cluster', id, name: annotations?.[clusterName] ?? '' } : undefined;
}

/** The claim that a policy makes. Undefined until it has its permanent id. */
export function claimOf({ metadata: { namespace, name, labels } }: Marked): Claim | undefined {
  const id = labels?.[permanentIdLabels[namespace ? 'namespaced' : 'cluster']];
  if (!id) return undefined;
  return namespace ? { by: 'namespaced', id, namespace, name } : { by: 'cluster', id, name };
}

export interface Marks {
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export function marksOf(claim: Claim): Marks {
  switch (claim.by) {
    case 'namespaced':
      return {
        labels: { [permanentIdLabels.namespaced]: claim.id },
        annotations: { [namespacedNamespace]: claim.namespace, [namespacedName]: claim.name },
      };
    case 'cluster':
      return { labels: { [permanentIdLabels.cluster]: claim.id }, annotations: { [clusterName]: claim.name } };
    default:
      return claim satisfies never;
  }
}

/** The object with this claim's marks and no others: the same object if it has them. Undefined removes all. */
export function withClaim<T extends Marked>(object: T, claim: Claim | undefined): T {
  const marks = claim && marksOf(claim);
  const labels = exchanged(object.metadata.labels, claimLabelKeys, marks?.labels ?? {});
  const annotations = exchanged(object.metadata.annotations, claimAnnotationKeys, marks?.annotations ?? {});
  if (labels === object.metadata.labels && annotations === object.metadata.annotations) return object;
  const { labels: _labels, annotations: _annotations, ...rest } = object.metadata;
  const metadata: ObjectMeta = { ...rest, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) };
  return { ...object, metadata };
}

/** `entries` without `keys`, with `marks`. */
function exchanged(
  entries: Record<string, string> | undefined,
  keys: ReadonlySet<string>,
  marks: Record<string, string>,
): Record<string, string> | undefined {
  const held = Object.keys(entries ?? {}).filter((key) => keys.has(key));
  const desired = Object.entries(marks);
  if (held.length === desired.length && desired.every(([key, value]) => entries?.[key] === value)) return entries;
  const others = Object.entries(entries ?? {}).filter(([key]) => !keys.has(key));
  return { ...Object.fromEntries(others), ...marks };
}

/** For the patch that writes a claim: null is what JSON merge patches remove a key by. */
export function claimPatch(claim: Claim | undefined): {
  labels: Record<string, string | null>;
  annotations: Record<string, string | null>;
} {
  const nothing = (keys: ReadonlySet<string>) => Object.fromEntries([...keys].map((key) => [key, null]));
  const marks = claim && marksOf(claim);
  return {
    labels: { ...nothing(claimLabelKeys), ...marks?.labels },
    annotations: { ...nothing(claimAnnotationKeys), ...marks?.annotations },
  };
}
