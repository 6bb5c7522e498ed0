/** An admission plugin: what it is asked, and how it refuses. */

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
}

export interface Plugin {
  /** As kubectl writes them: `pods`, `ingresses.networking.k8s.io`. */
  resources: readonly string[];
  /** Throws if the object may not be stored. */
  admit(write: Admitted, store: ObjectStore): Promise<void> | void;
}

/** As a plugin refuses an object. */
export function notAdmitted({ kind, object: { metadata } }: Admitted, why: string): StatusError {
  const name = metadata.name || metadata.generateName || '';
  const what = kind.group ? `${kind.resource}.${kind.group}` : kind.resource;
  return forbidden(`${what} ${JSON.stringify(name)} is forbidden: ${why}`, kind, name);
}
