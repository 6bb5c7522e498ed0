/** A kind as data: what it is called, and what is its own in the verbs that all kinds share. */

import type { FieldError } from '../errors/field-error.ts';
import type { NameRule } from '../names/name-rules.ts';
import type { KubeObject, ObjectMeta } from './kube-object.ts';

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
  /** Metadata that a write of the status leaves as it is. */
  statusKeeps?: readonly (keyof ObjectMeta)[];
  /** What Go writes of the status of a new object; without it nothing. */
  emptyStatus?: unknown;
  /** A new object may say its status. */
  keepsFirstStatus?: boolean;
  /** Beside the status. */
  subresources?: readonly OwnSubresource[];
  /** Counts the changes of what is wanted: all but metadata and status. */
  hasGeneration?: boolean;
  /** A PUT without a version replaces whatever is there. */
  allowsUnconditionalUpdate: boolean;
  /** A PUT makes what is not there. */
  createsOnUpdate?: boolean;
  /** What its own checks of an update look at once more in the metadata, so that causes are told twice; else what changed. */
  checksAgain?: 'all' | 'all twice' | 'nothing';
  nameFaults: NameRule;
  /** Only the name that is made of it is checked, not what it begins with. */
  allowsAnyPrefix?: boolean;
  /** Nothing is owned by it: what is to become of dependents has no meaning. */
  ownsNothing?: boolean;
  /** Dependents are orphaned unless the deletion says otherwise; who deletes it without saying so is warned with this text, if it has one. */
  orphansDependents?: string;
  /** Marking it as being deleted is its own work: it is held until something of the server lets it go. */
  hasOwnDeletion?: boolean;
  /** kube-apiserver reads it from its store alone. */
  isUncached?: boolean;
  /** A deletion answers with what was deleted, not just that it was. */
  returnsDeleted?: boolean;
  /** What each client that asks for it is warned of, as kube-apiserver does of kinds that have a successor. */
  deprecation?: string;
  /** Verbs that it has; without them all. */
  verbs?: readonly string[];
  /** The number of its replicas can be read and written apart. */
  scale?: ScaleFields;
  /** In the keys of the store, if it is not the group. */
  keyGroup?: string;
  /** Annotations that are fields where no version is meant: Tables and PartialObjectMetadata do not show them. */
  fieldAnnotations?: readonly string[];
  /** Kept as objects of another kind, or of another version of this one. */
  stored?: StoredKind;
  /** Of a built-in kind that has several versions: an object as one of another. */
  converts?(object: KubeObject, apiVersion: string): KubeObject;
  strategy: Strategy;
}

/** A part of an object that is written apart from the rest. */
export type OwnSubresource = 'finalize' | 'ephemeralcontainers' | 'resize';

/** Where a kind keeps what its scale is made of: paths of fields. */
export interface ScaleFields {
  replicas: readonly string[];
  currentReplicas: readonly string[];
  /** Of the pods, as text. */
  selector(object: KubeObject): string;
  /** Where a version keeps the replicas: null if it has no scale, undefined if there is no such version. */
  pathIn(apiVersion: string): readonly string[] | null | undefined;
}

export interface StoredKind {
  group: string;
  resource: string;
  fromStored(object: KubeObject): KubeObject;
  /** Without it, what is written is kept as it is: it has all that `fromStored` would put in. */
  toStored?(object: KubeObject): KubeObject;
  /** What is larger than `from` bytes is shown by another thread. */
  elsewhere?: { from: number; fromStored(value: Uint8Array): Promise<Uint8Array> } | undefined;
}

/** Some take long, and are looked for elsewhere. */
type FieldErrors = FieldError[] | Promise<FieldError[]>;

/** Hooks of a kind. The objects are theirs to change in `prepare…`. */
export interface Strategy {
  /** What Go's decoder does beside reading: defaults, and fields that are only another way to write a field. */
  complete?(object: KubeObject): void;
  /** What an object without anything has beside the empty fields of its type: bookmarks show it. */
  completeEmpty?(object: KubeObject): void;
  /** `given` as it was decoded, of which the object is a copy. */
  prepareForCreate?(object: KubeObject, given: KubeObject): void;
  prepareForUpdate?(object: KubeObject, old: KubeObject, subresource: string | undefined): void;
  /** Once it has passed all checks. */
  finish?(object: KubeObject): void;
  /** Beside what holds for the metadata of every kind. */
  validate?(object: KubeObject): FieldErrors;
  /** What holds for new objects alone. */
  validateCreate?(object: KubeObject): FieldErrors;
  /** Through the status only that and metadata can have changed. */
  validateUpdate?(object: KubeObject, old: KubeObject, subresource: string | undefined): FieldErrors;
  /** Fields that can be selected beside name and namespace. */
  selectableFields?: Readonly<Record<string, (object: KubeObject) => string>>;
  /** What is said of a field that it cannot be selected by, if not what is said of any kind. */
  unknownField?(field: string): string;
  /** What remains to be done before it may go, beside finalizers in its metadata. */
  isHeld?(object: KubeObject): boolean;
  prepareForDelete?(object: KubeObject): void;
  /** For how many seconds it stays once it is deleted, if nobody wants it to go earlier: kube-apiserver's CheckGracefulDelete. */
  gracePeriod?(object: KubeObject, requested: number | undefined): number;
  /** What a client is told beside the answer. `old` is undefined for what is new. */
  warnings?(object: KubeObject, old: KubeObject | undefined, subresource?: string): string[];
}

export const apiVersionOf = ({ group, version }: ResourceKind): string => (group ? `${group}/${version}` : version);

/** Of all objects of the kind in the store, or of those in one namespace. */
export function keyPrefix({ stored, keyGroup, ...kind }: ResourceKind, namespace?: string): string {
  const { resource } = stored ?? kind;
  const group = stored?.group ?? keyGroup ?? kind.group;
  return `/registry/${group ? `${group}/` : ''}${resource}/${namespace ? `${namespace}/` : ''}`;
}

/** Fields of every kind, and its own. */
export const selectableFields = ({ strategy, namespaced }: ResourceKind): string[] => [
  'metadata.name',
  ...(namespaced || !strategy.selectableFields ? ['metadata.namespace'] : []),
  ...Object.keys(strategy.selectableFields ?? {}),
];
