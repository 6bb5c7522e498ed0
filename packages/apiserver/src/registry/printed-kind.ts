/** A kind with its Table columns. */

import { humanDuration } from '@fleet/kube/human-duration.ts';
import type { KubeObject } from './kube-object.ts';
import type { ResourceKind } from './resource-kind.ts';

export type Cell = string | number | boolean | null;

export interface Column {
  name: string;
  type: string;
  format?: string;
  description: string;
  /** Above 0 it is shown in wide output only. */
  priority?: number;
  /** `now` is in milliseconds. */
  cell(object: KubeObject, now: number): Cell;
}

export interface RowCondition {
  type: string;
  status: string;
  reason: string;
  message: string;
}

export interface PrintedKind extends ResourceKind {
  /** All columns; by default the name and the age. */
  columns?: readonly Column[];
  /** The conditions of a Table row. */
  rowConditions?(object: KubeObject): readonly RowCondition[] | undefined;
  /** The kind of lists, if their items have kind and apiVersion, as for CRDs. */
  listKind?: string;
  /** False if it is served, but not established yet; then discovery does not list it. */
  isAnnounced?(): boolean;
}

/** Defined by a CRD. kube-apiserver serves these by other code, with some other responses. */
export const isCustom = ({ listKind }: PrintedKind): boolean => listKind !== undefined;

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  cell: ({ metadata }) => metadata.name ?? '',
};

const creationDescription =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

/** The age in kubectl's format. */
export const sinceTime = (time: unknown, now: number): string =>
  typeof time === 'string' ? humanDuration(now - Date.parse(time)) : '<unknown>';

export const ageColumn: Column = {
  name: 'Age',
  type: 'string',
  description: creationDescription,
  cell: ({ metadata }, now) => sinceTime(metadata.creationTimestamp, now),
};

export const createdColumn: Column = {
  name: 'Created At',
  type: 'date',
  description: creationDescription,
  // Go's zero time, for a bookmark.
  cell: ({ metadata }) => metadata.creationTimestamp ?? '0001-01-01T00:00:00Z',
};

export const plainColumns: readonly Column[] = [nameColumn, createdColumn];
