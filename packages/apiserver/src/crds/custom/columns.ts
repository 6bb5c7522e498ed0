/** The columns of a custom resource in Tables: its name, and the printer columns of its definition, by default its age. */

import { type JsonValue, jsonText } from '@fleet/kube/json-value.ts';
import { parseRfc3339 } from '@fleet/kube/rfc3339.ts';
import { type Column, nameColumn, sinceTime } from '../../registry/printed-kind.ts';
import type { PrinterColumn } from '../definition.ts';
import { jsonPath } from './json-path.ts';

const age: PrinterColumn = {
  name: 'Age',
  type: 'date',
  description:
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  jsonPath: '.metadata.creationTimestamp',
};

export const columnsOf = (columns: readonly PrinterColumn[] | undefined): Column[] => [
  nameColumn,
  ...(columns?.length ? columns : [age]).map(columnOf),
];

function columnOf({ name, type, format, description, priority, jsonPath: path }: PrinterColumn): Column {
  const find = jsonPath(path);
  return {
    name,
    type,
    ...(format ? { format } : {}),
    description: description || `Custom resource definition column (in JSONPath format): ${path}`,
    ...(priority ? { priority } : {}),
    cell: (object, now) => {
      const [value] = find?.(object as unknown as JsonValue) ?? [];
      return value === undefined ? null : cellOf(value, type, now);
    },
  };
}

/** Null for a value of another type. */
function cellOf(value: JsonValue, type: string, now: number): string | number | boolean | null {
  switch (type) {
    case 'integer':
      return typeof value === 'number' || typeof value === 'bigint' ? Math.trunc(Number(value)) : null;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateCell(value, now) : null;
    default:
      return typeof value === 'object' && value !== null ? jsonText(value) : String(value ?? '<nil>');
  }
}

function dateCell(text: string, now: number): string {
  if (text === '' || text === 'null') return sinceTime(undefined, now);
  return parseRfc3339(text) ? sinceTime(text, now) : '<invalid>';
}
