/** What answers of the product and of members hold: objects by cluster, whatever the form. */

import { type Cluster, clusters, namespaces, type Question, selector } from './questions.ts';

export const views = {
  vanilla: '',
  all: '/clusterspaces/all',
  '*': '/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy',
  aggregation: '/apis/search.karmada.io/v1alpha1/proxying/karmada/proxy',
} as const;
export type View = keyof typeof views;

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
  name: string;
  namespace: string;
  annotations?: Record<string, string>;
}

interface Row {
  cells: unknown[];
  object: { metadata: Metadata };
}

export interface Answered {
  metadata?: Metadata & { continue?: string };
  items?: { metadata: Metadata }[];
  columnDefinitions?: { name: string }[];
  rows?: Row[];
}

const marks = ['cluster.karmada.io/name', 'resource.karmada.io/cached-from-cluster'];

export type Rows = ReadonlyMap<Cluster, ReadonlySet<string>>;

/** By cluster, as `namespace/name`: of a list, a Table, or a single object of a watch. */
export function rowsOf(answered: Answered): Rows {
  const held = new Map<Cluster, Set<string>>();
  const add = (metadata: Metadata, inColumn?: unknown) => {
    const [name, suffix] = metadata.name.split('.clusterspace.');
    const of = suffix ?? inColumn ?? marks.map((mark) => metadata.annotations?.[mark]).find((one) => one !== undefined);
    const cluster = clusters.find((one) => one === of);
    if (!cluster) throw new Error(`an object of no cluster: ${JSON.stringify(metadata)}`);
    // Whatever else there is belongs to others, such as the namespace of the product itself.
    if (!namespaces.some((one) => one === metadata.namespace)) return;
    held.set(cluster, (held.get(cluster) ?? new Set()).add(`${metadata.namespace}/${name}`));
  };
  const column = answered.columnDefinitions?.findIndex(({ name }) => name.toLowerCase() === 'cluster') ?? -1;
  for (const { metadata } of answered.items ?? []) add(metadata);
  for (const { object, cells } of answered.rows ?? []) add(object.metadata, column < 0 ? undefined : cells[column]);
  if (!answered.items && !answered.rows && answered.metadata) add(answered.metadata);
  return held;
}

/** The same of a member's own answer, which names no cluster. */
export function memberRows({ items = [], rows = [] }: Answered): ReadonlySet<string> {
  const metadata = [...items.map((one) => one.metadata), ...rows.map(({ object }) => object.metadata)];
  const ours = metadata.filter(({ namespace }) => namespaces.some((one) => one === namespace));
  return new Set(ours.map(({ namespace, name }) => `${namespace}/${name}`));
}
