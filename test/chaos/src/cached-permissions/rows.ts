/** What answers of the product and of members hold: objects by cluster, whatever the form. */

import { type Cluster, namespaces, type Question, selector } from './questions.ts';

export const views = {
  vanilla: '',
  all: '/clusterspaces/all',
  '*': '/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy',
  aggregation: '/apis/search.karmada.io/v1alpha1/proxying/karmada/proxy',
} as const;
export type View = keyof typeof views;

/**
 * What is answered where all members refuse: the view of any cluster does not reveal that the object exists (ERR-3). A name in a
 * namespace may be found in one cluster, by a GET, whose own refusal of the list is passed on (NAME-10).
 */
export function refusalsIn(view: View, { namespace, name }: Question): readonly number[] {
  if (view !== '*') return [403];
  return namespace !== '' && name !== '' ? [404, 403] : [404];
}

export const forms = {
  objects: 'application/json',
  Table: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  metadata: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
} as const;
export type Form = keyof typeof forms;

/** With selectors in its query. */
export function pathOf({ resource, namespace, name, isSelected }: Question): {
  path: string;
  query: [string, string][];
} {
  return {
    path: `/api/v1/${namespace === '' ? '' : `namespaces/${namespace}/`}${resource}`,
    query: [
      ...(name === '' ? [] : [['fieldSelector', `metadata.name=${name}`] as [string, string]]),
      ...(isSelected ? [['labelSelector', selector] as [string, string]] : []),
    ],
  };
}

interface Metadata {
  uid: string;
  name: string;
  namespace: string;
  annotations?: Record<string, string>;
}

interface Row {
  object: { metadata: Metadata };
}

export interface Answered {
  metadata?: Metadata & { continue?: string };
  items?: { metadata: Metadata }[];
  rows?: Row[];
}

export type Rows = ReadonlyMap<Cluster, ReadonlySet<string>>;
/** The cluster of each object, by its uid: a list by a name that one cluster has is just that cluster's. */
export type Owners = ReadonlyMap<string, Cluster>;

/** By cluster, as `namespace/name`: of a list, a Table, or a single object of a watch. */
export function rowsOf(answered: Answered, owners: Owners): Rows {
  const held = new Map<Cluster, Set<string>>();
  for (const metadata of metadataIn(answered)) {
    const cluster = owners.get(metadata.uid);
    if (!cluster) throw new Error(`an object of no cluster: ${JSON.stringify(metadata)}`);
    const [name, suffix = cluster] = metadata.name.split('.clusterspace.');
    if (suffix !== cluster) throw new Error(`an object of ${cluster} under the name ${metadata.name}`);
    held.set(cluster, (held.get(cluster) ?? new Set()).add(`${metadata.namespace}/${name}`));
  }
  return held;
}

function metadataIn({ items, rows, metadata }: Answered): Metadata[] {
  const all = [...(items ?? []).map((one) => one.metadata), ...(rows ?? []).map(({ object }) => object.metadata)];
  if (!items && !rows && metadata) all.push(metadata);
  // Whatever else there is belongs to others, such as the namespace of the product itself.
  return all.filter(({ namespace }) => namespaces.some((one) => one === namespace));
}

/** The same of a member's own answer, which names no cluster. */
export const memberRows = (answered: Answered): ReadonlySet<string> =>
  new Set(metadataIn(answered).map(({ namespace, name }) => `${namespace}/${name}`));
