/** Which columns of a member's Tables show an age, and which time of the object each counts from (CACHE-13). */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import type { FeedSpec } from './messages.ts';
import { type TimeCell, timeAtPath, timeCellOf } from './time-cells.ts';

export type TimeSource =
  | { is: 'creation' }
  | { is: 'value'; cell: TimeCell }
  /** A `date` column without a known description: probably the creation, which each row has to confirm. */
  | { is: 'likely-creation' }
  /** A value that cannot be found by a plain path: such Tables come from the member. */
  | { is: 'other' };

export interface TimeColumn {
  index: number;
  name: string;
  source: TimeSource;
}

/** Sorted by index. */
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
  // In a custom resource, an `Age` that is not a `date` is whatever text its definition selects.
  return name === 'Age' && !isCustom ? { is: 'creation' } : undefined;
}

/** The description that apiextensions gives columns without one. */
const pathDescription = 'Custom resource definition column (in JSONPath format): ';
/** The description of creationTimestamp in ObjectMeta, and so of columns that show it. */
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
