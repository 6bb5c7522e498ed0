/** Builds Tables, which `kubectl get` prints. */

import type { KubeObject, ObjectMeta } from '../registry/kube-object.ts';
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
  const conditions = options.printed.rowConditions?.(object);
  const cells = columnsOf(options).map(({ cell }) => cell(object, options.now));
  const row = { cells, ...(conditions ? { conditions } : {}) };
  switch (options.include) {
    case 'None':
      return { ...row, object: null };
    case 'Object':
      return { ...row, object };
    case 'Metadata':
      return { ...row, object: partialMetadata(object, options.printed, options.version) };
    default:
      return options.include satisfies never;
  }
}

export const partialMetadata = (
  { metadata }: KubeObject,
  { fieldAnnotations = [] }: Pick<PrintedKind, 'fieldAnnotations'> = {},
  version = 'v1',
) => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata: withoutAnnotations(metadata, fieldAnnotations),
});

function withoutAnnotations(metadata: ObjectMeta, left: readonly string[]): ObjectMeta {
  const { annotations, ...rest } = metadata;
  if (!annotations || !left.some((key) => key in annotations)) return metadata;
  const kept = Object.entries(annotations).filter(([key]) => !left.includes(key));
  return { ...rest, ...(kept.length > 0 ? { annotations: Object.fromEntries(kept) } : {}) };
}
