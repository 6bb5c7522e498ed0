/** The interface of an admission plugin: its input, and its error. */

import type { Quantity } from '@fleet/kube/quantity.ts';
import { forbidden, type StatusError } from '@fleet/kube/status.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import type { ObjectStore } from '../store/object-store.ts';

/** A write before it is stored. The plugin may change `object`. */
export interface Admitted {
  kind: Pick<ResourceKind, 'group' | 'resource'>;
  object: KubeObject;
  /** Undefined for a new object. */
  old: KubeObject | undefined;
  namespace: string | undefined;
  subresource: string | undefined;
  /** Nothing will be stored. */
  dryRun?: boolean | undefined;
}

/** A defaulted and valid write: the last check before the store. */
export interface Validated extends Readonly<Admitted> {
  /** The usage that this request has been charged with, by quota key: conflicting writes are retried. */
  charged: Charged;
}

export type Charged = Map<string, ReadonlyMap<string, Quantity>>;

/** A validating plugin: it runs after validation, so that a refused object is not charged. */
export interface ValidatingPlugin {
  isAbout(kind: Pick<ResourceKind, 'group' | 'resource' | 'namespaced'>): boolean;
  /** Throws if the object is not allowed. */
  validate(write: Validated, store: ObjectStore): Promise<void>;
}

/**
 * The admission of the surrounding product, as the exports of a module that every worker thread loads. Objects that are only
 * stored, such as those of a definition that is being deleted, are deleted without it.
 */
export interface AdmissionModule {
  validatingPlugins: readonly ValidatingPlugin[];
  /** Throws if the object must not be deleted, whoever requests it. */
  admitDeletion(kind: Pick<ResourceKind, 'group' | 'resource'>, object: KubeObject): void;
}

export interface Plugin {
  /** In kubectl's notation: `pods`, `ingresses.networking.k8s.io`. */
  resources: readonly string[];
  /** Throws if the object is not allowed. */
  admit(write: Admitted, store: ObjectStore): Promise<void> | void;
}

/** The error with which a plugin refuses an object. */
export function notAdmitted({ kind, object: { metadata } }: Readonly<Admitted>, why: string): StatusError {
  const name = metadata.name || metadata.generateName || '';
  const what = kind.group ? `${kind.resource}.${kind.group}` : kind.resource;
  return forbidden(`${what} ${JSON.stringify(name)} is forbidden: ${why}`, kind, name);
}
