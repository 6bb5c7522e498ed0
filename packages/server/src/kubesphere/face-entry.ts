/** A Cluster as the API server's verbs take objects: the bytes of the face, with the Cluster's own resource version. */

import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import { encodeObject } from '@fleet/apiserver/registry/stored-object.ts';
import type { Entry } from '@fleet/apiserver/store/object-store.ts';
import type { Cluster } from '../members/cluster.ts';
import { shown } from './translate.ts';

export type { Entry };

export const faceObject = (cluster: Cluster): KubeObject => shown(cluster) as unknown as KubeObject;

export const entryOf = (cluster: Cluster): Entry => ({
  key: cluster.metadata.name,
  value: encodeObject(faceObject(cluster)),
  revision: Number(cluster.metadata.resourceVersion),
});
