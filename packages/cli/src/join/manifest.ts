/** The objects that `fleet join` writes. */

import type { KubeObject, ObjectMeta } from '@fleet/client/kube-client.ts';
import { managed } from '../labels.ts';

interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
}

/** An object as it is desired, or as a server has it. */
export interface Manifest extends KubeObject {
  metadata: ObjectMeta & { ownerReferences?: OwnerReference[] };
  [field: string]: unknown;
}

/** An object that should be there. */
export interface Desired {
  /** Where it is created, as in `/api/v1/namespaces`. */
  collection: string;
  object: Manifest;
}

export const pathOf = ({ collection, object }: Desired): string => `${collection}/${object.metadata.name}`;

export const title = ({ object: { kind, metadata } }: Desired): string =>
  `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;

export function namespace(name: string, labels: Record<string, string> = managed): Desired {
  return {
    collection: '/api/v1/namespaces',
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } },
  };
}
