/** Which columns of a member's Tables tell a time relative to now, and how that follows from the object (CACHE-13). */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import type { FeedSpec } from './messages.ts';
import { type TimeCell, timeAtPath, timeCellOf } from './time-cells.ts';

export type TimeSource =
  | { is: 'creation' }
  | { is: 'value'; cell: TimeCell }
  /** A Table does not say what its `date` columns are of: most are of the creation, which each row has to confirm. */
  | { is: 'likely-creation' }
  /** Of a value that is not found: its rows are the member's to print. */
  | { is: 'other' };

export interface TimeColumn {
  index: number;
  name: string;
  source: TimeSource;
}

/** In the order of their indexes. */
export const timeColumns = (spec: FeedSpec, columns: readonly ColumnDefinition[]): TimeColumn[] =>
  columns.flatMap((column, index) => {
    const source = sourceOf(spec, column);
    return source ? [{ index, name: column.name, source }] : [];
  });

function sourceOf(spec: FeedSpec, { name, type, description }: ColumnDefinition): TimeSource | undefined {
  const { group, resource, typeMetaInLists: isCustom } = spec;
  const cell = timeCellOf(group, resource, name);
  if (cell) return { is: 'value', cell };
  if (type === 'date') return dateSource(description);
  // Of a custom resource it is the text of whatever its definition says.
  return name === 'Age' && !isCustom ? { is: 'creation' } : undefined;
}

/** How apiextensions describes the columns of definitions that do not describe them. */
const pathDescription = 'Custom resource definition column (in JSONPath format): ';
/** How the creationTimestamp is described in ObjectMeta, and so in its columns. */
const creationDescription =
  'CreationTimestamp is a timestamp representing the server time when this object was created.';
const plainPath = /^(?:\.[\w-]+)+$/;

function dateSource(description: string): TimeSource {
  if (description.startsWith(creationDescription)) return { is: 'creation' };
  if (!description.startsWith(pathDescription)) return { is: 'likely-creation' };
  const path = description.slice(pathDescription.length);
  if (path === '.metadata.creationTimestamp') return { is: 'creation' };
  return plainPath.test(path) ? { is: 'value', cell: timeAtPath(path.slice(1)) } : { is: 'other' };
}
