/** An admission plugin: what it is asked, and how it refuses. */

import type { Quantity } from '@fleet/kube/quantity.ts';
import { forbidden, type StatusError } from '@fleet/kube/status.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import type { ObjectStore } from '../store/object-store.ts';

/** One write on its way to the store. `object` is the plugin's to change. */
export interface Admitted {
  kind: Pick<ResourceKind, 'group' | 'resource'>;
  object: KubeObject;
  /** Undefined for what is new. */
  old: KubeObject | undefined;
  namespace: string | undefined;
  subresource: string | undefined;
  /** Nothing is stored in the end. */
  dryRun?: boolean | undefined;
}

/** One write that is complete and valid: what is asked last, before the store. */
export interface Validated extends Readonly<Admitted> {
  /** What this request has been charged with, by the key of each quota: writes that conflict begin again. */
  charged: Charged;
}

export type Charged = Map<string, ReadonlyMap<string, Quantity>>;

/** Asked of what would be written, as kube-apiserver's validating admission: nothing that is refused is charged. */
export interface ValidatingPlugin {
  isAbout(kind: Pick<ResourceKind, 'group' | 'resource' | 'namespaced'>): boolean;
  /** Throws if the object may not be stored. */
  validate(write: Validated, store: ObjectStore): Promise<void>;
}

/**
 * What a product around the server demands of writes, as what a module exports: every thread that serves writes loads it. Objects that
 * are only kept, as of a definition that goes, are deleted without it.
 */
export interface AdmissionModule {
  validatingPlugins: readonly ValidatingPlugin[];
  /** Throws if the object may not be deleted, whoever wants that. */
  admitDeletion(kind: Pick<ResourceKind, 'group' | 'resource'>, object: KubeObject): void;
}

export interface Plugin {
  /** As kubectl writes them: `pods`, `ingresses.networking.k8s.io`. */
  resources: readonly string[];
  /** Throws if the object may not be stored. */
  admit(write: Admitted, store: ObjectStore): Promise<void> | void;
}

/** As a plugin refuses an object. */
export function notAdmitted({ kind, object: { metadata } }: Readonly<Admitted>, why: string): StatusError {
  const name = metadata.name || metadata.generateName || '';
  const what = kind.group ? `${kind.resource}.${kind.group}` : kind.resource;
  return forbidden(`${what} ${JSON.stringify(name)} is forbidden: ${why}`, kind, name);
}
