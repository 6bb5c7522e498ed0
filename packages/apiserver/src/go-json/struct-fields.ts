/** The fields of a Go struct by JSON name, including those of embedded structs. */

import type { Field, MessageType } from '@fleet/kube/protobuf/schema.ts';

export interface StructField {
  field: Field;
  /** The Go names of the embedded structs that contain it, for error texts. */
  within: readonly string[];
}

const known = new WeakMap<MessageType, ReadonlyMap<string, StructField>>();

export function structFields(type: MessageType): ReadonlyMap<string, StructField> {
  const before = known.get(type);
  if (before) return before;
  const fields = new Map(collect(type, []));
  known.set(type, fields);
  return fields;
}

const collect = (type: MessageType, within: readonly string[]): [string, StructField][] =>
  type.fields.flatMap((field) =>
    isInlined(field)
      ? collect(field.type, [...within, field.goName])
      : ([[field.jsonName, { field, within }]] satisfies [string, StructField][]),
  );

export const isInlined = (field: Field): field is Field & { type: MessageType } =>
  field.jsonName === '' && typeof field.type !== 'string';
