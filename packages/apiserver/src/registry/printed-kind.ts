/** The columns that a kind has in Tables. */

import { humanDuration } from '@fleet/kube/human-duration.ts';
import type { KubeObject } from './kube-object.ts';
import type { ResourceKind } from './resource-kind.ts';

export type Cell = string | number | boolean | null;

export interface Column {
  name: string;
  type: string;
  format?: string;
  description: string;
  /** Above 0: only in wide output. */
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
  /** All of them; without them its name and when it was created. */
  columns?: readonly Column[];
  /** What a row of a Table says of an object beside its cells. */
  rowConditions?(object: KubeObject): readonly RowCondition[] | undefined;
  /** What lists of it are called, if its items say themselves what they are, as those of CRDs do. */
  listKind?: string;
  /** False while it is served already, but not yet said to be; then discovery does not tell of it. */
  isAnnounced?(): boolean;
}

/** Defined by a CRD. kube-apiserver serves these by other code, and says some things otherwise. */
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

/** How long ago it was, as kubectl prints it. */
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
  // Of a bookmark: what Go prints of no time.
  cell: ({ metadata }) => metadata.creationTimestamp ?? '0001-01-01T00:00:00Z',
};

export const plainColumns: readonly Column[] = [nameColumn, createdColumn];
