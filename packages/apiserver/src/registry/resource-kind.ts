/** A kind as data: what it is called, and what is its own in the verbs that all kinds share. */

import type { FieldError } from '../errors/field-error.ts';
import type { NameRule } from '../names/name-rules.ts';
import type { KubeObject } from './kube-object.ts';

/** What a field holds, as Go calls it. */
export type GoType =
  | 'string'
  | 'types.UID'
  | 'bool'
  | 'int64'
  | 'v1.Time'
  | 'struct'
  | 'map[string]string'
  | 'map[string][]uint8'
  | '[]string'
  | '[]v1.OwnerReference'
  | '[]v1.ManagedFieldsEntry';

export interface ResourceKind {
  group: string;
  version: string;
  resource: string;
  singular: string;
  kind: string;
  namespaced: boolean;
  shortNames?: readonly string[];
  categories?: readonly string[];
  /** Its status is written apart from the rest. */
  hasStatus?: boolean;
  /** Beside the status. */
  subresources?: readonly 'finalize'[];
  /** Counts the changes of what is wanted: all but metadata and status. */
  hasGeneration?: boolean;
  /** A PUT without a version replaces whatever is there. */
  allowsUnconditionalUpdate: boolean;
  /** Its own checks of an update look at all of the metadata once more: causes are told twice. */
  checksMetadataAgain?: boolean;
  nameFaults: NameRule;
  /** Beside its metadata; others are dropped. Without them it takes any. */
  fields?: Readonly<Record<string, GoType>>;
  strategy: Strategy;
}

/** Hooks of a kind. The objects are theirs to change in `prepare…`. */
export interface Strategy {
  prepareForCreate?(object: KubeObject): void;
  prepareForUpdate?(object: KubeObject, old: KubeObject, subresource: string | undefined): void;
  /** Beside what holds for the metadata of every kind. */
  validate?(object: KubeObject): FieldError[];
  validateUpdate?(object: KubeObject, old: KubeObject): FieldError[];
  /** Fields that can be selected beside name and namespace. */
  selectableFields?: Readonly<Record<string, (object: KubeObject) => string>>;
  /** What remains to be done before it may go, beside finalizers in its metadata. */
  isHeld?(object: KubeObject): boolean;
  prepareForDelete?(object: KubeObject): void;
}

export const apiVersionOf = ({ group, version }: ResourceKind): string => (group ? `${group}/${version}` : version);

/** Of all objects of the kind in the store, or of those in one namespace. */
export function keyPrefix({ group, resource }: ResourceKind, namespace?: string): string {
  return `/registry/${group ? `${group}/` : ''}${resource}/${namespace ? `${namespace}/` : ''}`;
}

/** Fields of every kind, and its own. */
export const selectableFields = ({ strategy, namespaced }: ResourceKind): string[] => [
  'metadata.name',
  ...(namespaced || !strategy.selectableFields ? ['metadata.namespace'] : []),
  ...Object.keys(strategy.selectableFields ?? {}),
];
