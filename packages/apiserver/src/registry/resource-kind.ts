/** A kind as data: its names, and its deviations in the verbs that all kinds share. */

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
  /** The status is a subresource. */
  hasStatus?: boolean;
  /** Metadata that a write of the status does not change. */
  statusKeeps?: readonly (keyof ObjectMeta)[];
  /** The status that Go writes for a new object; without it none. */
  emptyStatus?: unknown;
  /** A new object may have a status. */
  keepsFirstStatus?: boolean;
  /** In addition to the status. */
  subresources?: readonly OwnSubresource[];
  /** The generation counts changes of everything but metadata and status. */
  hasGeneration?: boolean;
  /** A PUT without a resourceVersion replaces any version. */
  allowsUnconditionalUpdate: boolean;
  /** A PUT creates a missing object. */
  createsOnUpdate?: boolean;
  /** The metadata that its own update validation checks again, so that errors are duplicated; by default what has changed. */
  checksAgain?: 'all' | 'all twice' | 'nothing';
  nameFaults: NameRule;
  /** Validates only the generated name, not `generateName`. */
  allowsAnyPrefix?: boolean;
  /** It cannot be an owner, so the propagation policy has no meaning. */
  ownsNothing?: boolean;
  /** Dependents are orphaned by default; a deletion without a propagation policy returns this text as a warning, if not empty. */
  orphansDependents?: string;
  /** It marks itself as being deleted, and is kept until the server releases it. */
  hasOwnDeletion?: boolean;
  /** kube-apiserver does not cache it. */
  isUncached?: boolean;
  /** A deletion returns the object instead of a Status. */
  returnsDeleted?: boolean;
  /** A warning for every client of a deprecated kind, as in kube-apiserver. */
  deprecation?: string;
  /** The supported verbs; all by default. */
  verbs?: readonly string[];
  /** The scale subresource. */
  scale?: ScaleFields;
  /** The group in the keys of the store, if it differs. */
  keyGroup?: string;
  /** Annotations that hold fields of another version: Tables and PartialObjectMetadata do not show them. */
  fieldAnnotations?: readonly string[];
  /** Stored as another kind, or in another version of this one. */
  stored?: StoredKind;
  /** Converts between the versions of a built-in kind. */
  converts?(object: KubeObject, apiVersion: string): KubeObject;
  strategy: Strategy;
}

/** A subresource that writes a part of the object. */
export type OwnSubresource = 'finalize' | 'ephemeralcontainers' | 'resize';

/** The field paths of a kind's scale. */
export interface ScaleFields {
  replicas: readonly string[];
  currentReplicas: readonly string[];
  /** The selector of the pods, as text. */
  selector(object: KubeObject): string;
  /** The path of the replicas in a version: null if it has no scale, undefined if the version does not exist. */
  pathIn(apiVersion: string): readonly string[] | null | undefined;
}

export interface StoredKind {
  group: string;
  resource: string;
  fromStored(object: KubeObject): KubeObject;
  /** By default objects are stored as written: they have all that `fromStored` would add. */
  toStored?(object: KubeObject): KubeObject;
  /** A worker thread converts values of more than `from` bytes. */
  onThread?: { from: number; fromStored(value: Uint8Array): Promise<Uint8Array> } | undefined;
}

/** Some validations take long and run on a worker thread. */
type FieldErrors = FieldError[] | Promise<FieldError[]>;

/** Hooks of a kind. The `prepare…` hooks may change the objects. */
export interface Strategy {
  /** What Go does on decoding: defaults, and fields that are aliases of others. */
  complete?(object: KubeObject): void;
  /** Fields of an empty object in addition to the zero values of its type: bookmarks show them. */
  completeEmpty?(object: KubeObject): void;
  /** `given` is the decoded object, of which the object is a copy. */
  prepareForCreate?(object: KubeObject, given: KubeObject): void;
  prepareForUpdate?(object: KubeObject, old: KubeObject, subresource: string | undefined): void;
  /** Called after all checks have passed. */
  finish?(object: KubeObject): void;
  /** Validation in addition to that of every kind's metadata. */
  validate?(object: KubeObject): FieldErrors;
  /** Validation of new objects only. */
  validateCreate?(object: KubeObject): FieldErrors;
  /** For a write of the status, only that and metadata can differ. */
  validateUpdate?(object: KubeObject, old: KubeObject, subresource: string | undefined): FieldErrors;
  /** Selectable fields in addition to name and namespace. */
  selectableFields?: Readonly<Record<string, (object: KubeObject) => string>>;
  /** The error for an unknown field in a selector, if it differs from that of other kinds. */
  unknownField?(field: string): string;
  /** Whether something other than finalizers in its metadata delays its removal. */
  isHeld?(object: KubeObject): boolean;
  prepareForDelete?(object: KubeObject): void;
  /** The grace period in seconds, unless the request shortens it: kube-apiserver's CheckGracefulDelete. */
  gracePeriod?(object: KubeObject, requested: number | undefined): number;
  /** Warnings for the client. `old` is undefined for a new object. */
  warnings?(object: KubeObject, old: KubeObject | undefined, subresource?: string): string[];
}

export const apiVersionOf = ({ group, version }: ResourceKind): string => (group ? `${group}/${version}` : version);

/** For all objects of the kind in the store, or for those in one namespace. */
export function keyPrefix({ stored, keyGroup, ...kind }: ResourceKind, namespace?: string): string {
  const { resource } = stored ?? kind;
  const group = stored?.group ?? keyGroup ?? kind.group;
  return `/registry/${group ? `${group}/` : ''}${resource}/${namespace ? `${namespace}/` : ''}`;
}

/** The fields of every kind, and its own. */
export const selectableFields = ({ strategy, namespaced }: ResourceKind): string[] => [
  'metadata.name',
  ...(namespaced || !strategy.selectableFields ? ['metadata.namespace'] : []),
  ...Object.keys(strategy.selectableFields ?? {}),
];
