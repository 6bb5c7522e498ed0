/** Tables: what `kubectl get` prints. */

import type { KubeObject } from '../registry/kube-object.ts';
import { type Column, type PrintedKind, plainColumns } from '../registry/printed-kind.ts';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  printed: PrintedKind;
  now: number;
  include: IncludeObject;
  /** Of the Table itself. */
  version: string;
}

const columnsOf = ({ printed }: TableOptions): readonly Column[] => printed.columns ?? plainColumns;

export const tableHead = (metadata: object, options: TableOptions, withColumns: boolean) => ({
  kind: 'Table',
  apiVersion: `meta.k8s.io/${options.version}`,
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
  const cells = columnsOf(options).map(({ cell }) => cell(object, options.now));
  switch (options.include) {
    case 'None':
      return { cells, object: null };
    case 'Object':
      return { cells, object };
    case 'Metadata':
      return { cells, object: partialMetadata(object, options.version) };
    default:
      return options.include satisfies never;
  }
}

export const partialMetadata = ({ metadata }: KubeObject, version = 'v1') => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata,
});
