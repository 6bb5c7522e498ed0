/** The OpenAPI schema of a type, which apply, strategic merge, pruning and defaulting use. */

import type { JsonValue } from '@fleet/kube/json-value.ts';

/** A validation rule of a CRD's schema, in CEL. */
export interface Rule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
}

export interface Schema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  format?: string;
  description?: string;
  /** The plain name of a definition; siblings (a default, a map type) belong to the field. */
  $ref?: string;
  properties?: { [name: string]: Schema };
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  enum?: JsonValue[];
  default?: JsonValue;
  nullable?: boolean;
  maximum?: number;
  exclusiveMaximum?: boolean;
  minimum?: number;
  exclusiveMinimum?: boolean;
  multipleOf?: number;
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  maxItems?: number;
  minItems?: number;
  uniqueItems?: boolean;
  maxProperties?: number;
  minProperties?: number;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: 'atomic' | 'granular';
  'x-kubernetes-patch-strategy'?: string;
  'x-kubernetes-patch-merge-key'?: string;
  'x-kubernetes-unions'?: JsonValue;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-embedded-resource'?: boolean;
  'x-kubernetes-validations'?: Rule[];
  'x-kubernetes-selectable-fields'?: { fieldPath: string }[];
}

/** Definitions by name. */
export type Definitions = (name: string) => Schema | undefined;

export const propertyOf = (schema: Schema, name: string): Schema | undefined =>
  schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
