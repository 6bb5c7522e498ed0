/**
 * Translates between KubeSphere's Cluster and Karmada's, of which only Karmada's is stored (KS-1). Both functions are pure: writing
 * back what was shown changes nothing, and fields that the face cannot show keep their stored values.
 */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Cluster } from '../members/cluster.ts';
import { shownStatus } from './conditions.ts';
import { type FaceFields, readFields, restOf, shownAnnotations, storedAnnotations } from './face-annotations.ts';
import { faceApiVersion, type KubeSphereCluster, type KubeSphereSpec } from './kubesphere-cluster.ts';

/** The metadata of an object in the control plane, with a field that the product does not use. */
type Metadata = KubeObject['metadata'] & { managedFields?: unknown };

export function shown(cluster: Cluster): KubeSphereCluster {
  const { annotations, managedFields: _, ...metadata } = cluster.metadata as Metadata;
  const visible = shownAnnotations(annotations ?? {});
  const { federated, active, type, kubesphereAPIEndpoint, rest } = readFields(annotations ?? {});
  const { provider, apiEndpoint } = cluster.spec;
  return {
    apiVersion: faceApiVersion,
    kind: 'Cluster',
    // Managed fields are left out: they are those of Karmada's Cluster, which has another schema.
    metadata: Object.keys(visible).length > 0 ? { ...metadata, annotations: visible } : metadata,
    spec: {
      federated,
      joinFederation: federated,
      active,
      enable: active,
      ...(provider ? { provider } : {}),
      ...rest,
      connection: {
        type,
        ...(apiEndpoint ? { kubernetesAPIEndpoint: apiEndpoint } : {}),
        ...(kubesphereAPIEndpoint ? { kubesphereAPIEndpoint } : {}),
        ...rest.connection,
      },
    },
    status: shownStatus(cluster),
  };
}

/** Without the credentials; the status is written by other code. `old`: the stored Cluster, undefined for a new one. */
export function stored(face: KubeSphereCluster, old: Cluster | undefined): Cluster {
  const { annotations: given, managedFields: _, ...metadata } = face.metadata as Metadata;
  const before = old?.metadata as Metadata | undefined;
  const spec = face.spec ?? {};
  const annotations = storedAnnotations(given ?? {}, desiredFields(spec, old), before?.annotations ?? {});
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: {
      ...metadata,
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
      ...(before?.managedFields === undefined ? {} : { managedFields: before.managedFields }),
    },
    spec: storedSpec(spec, old?.spec ?? { syncMode: 'Push' }),
    ...(old?.status ? { status: old.status } : {}),
  };
}

/** An empty text means the same as none: then the stored value stays. */
function storedSpec({ provider = '', connection = {} }: KubeSphereSpec, old: Cluster['spec']): Cluster['spec'] {
  const { kubernetesAPIEndpoint: apiEndpoint = '' } = connection;
  const spec = { ...old };
  for (const [field, text] of Object.entries({ provider, apiEndpoint }) as ['provider' | 'apiEndpoint', string][]) {
    if (text === (old[field] ?? '')) continue;
    if (text === '') delete spec[field];
    else spec[field] = text;
  }
  return spec;
}

function desiredFields(spec: KubeSphereSpec, old: Cluster | undefined): FaceFields {
  const is = old && readFields(old.metadata.annotations ?? {});
  const { connection = {} } = spec;
  return {
    federated: chosen(spec.federated, spec.joinFederation, is?.federated) ?? false,
    active: chosen(spec.active, spec.enable, is?.active) ?? true,
    type: connection.type ?? 'direct',
    kubesphereAPIEndpoint: connection.kubesphereAPIEndpoint || undefined,
    rest: restOf(spec),
  };
}

/** One field with two names: if both are given and differ, the changed one counts. Undefined if neither is given. */
const chosen = (
  name: boolean | undefined,
  releasedName: boolean | undefined,
  is: boolean | undefined,
): boolean | undefined => {
  if (name === undefined || releasedName === undefined || name === releasedName) return name ?? releasedName;
  return is === undefined ? name : !is;
};
