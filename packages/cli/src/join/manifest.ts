import type { KubeObject, ObjectMeta } from '@fleet/client/kube-client.ts';
import { managed } from '../labels.ts';

interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
}

/** An object as it is wanted, or as a server has it. */
export interface Manifest extends KubeObject {
  metadata: ObjectMeta & { ownerReferences?: OwnerReference[] };
  [field: string]: unknown;
}

/** An object that should be there. */
export interface Wanted {
  /** Where it is created, as in `/api/v1/namespaces`. */
  collection: string;
  object: Manifest;
}

export const pathOf = ({ collection, object }: Wanted): string => `${collection}/${object.metadata.name}`;

export const title = ({ object: { kind, metadata } }: Wanted): string =>
  `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;

export function namespace(name: string, labels: Record<string, string> = managed): Wanted {
  return {
    collection: '/api/v1/namespaces',
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } },
  };
}
