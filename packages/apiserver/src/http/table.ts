/** Tables: what `kubectl get` prints. */

import type { KubeObject } from '../registry/kube-object.ts';
import type { Column, PrintedKind } from '../registry/printed-kind.ts';
import { humanDuration } from './human-duration.ts';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  cell: ({ metadata }) => metadata.name ?? '',
};

const ageColumn = (now: number): Column => ({
  name: 'Age',
  type: 'string',
  description:
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  cell: ({ metadata: { creationTimestamp } }) =>
    creationTimestamp ? humanDuration(now - Date.parse(creationTimestamp)) : '<unknown>',
});

export interface TableOptions {
  printed: PrintedKind;
  now: number;
  include: IncludeObject;
}

const columnsOf = ({ printed, now }: TableOptions): Column[] => [
  nameColumn,
  ...(printed.columns ?? []),
  ageColumn(now),
];

export const tableHead = (metadata: object, options: TableOptions, withColumns: boolean) => ({
  kind: 'Table',
  apiVersion: 'meta.k8s.io/v1',
  metadata,
  columnDefinitions: withColumns
    ? columnsOf(options).map(({ name, type, format = '', description, priority = 0 }) => ({
        name,
        type,
        format,
        description,
        priority,
      }))
    : null,
});

export function tableRow(object: KubeObject, options: TableOptions) {
  const cells = columnsOf(options).map(({ cell }) => cell(object));
  switch (options.include) {
    case 'None':
      return { cells };
    case 'Object':
      return { cells, object };
    case 'Metadata':
      return { cells, object: partialMetadata(object) };
    default:
      return options.include satisfies never;
  }
}

export const partialMetadata = ({ metadata }: KubeObject) => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata,
});
