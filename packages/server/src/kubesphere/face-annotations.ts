/** Stores fields that only KubeSphere's Cluster has in annotations of the Karmada Cluster, and reads them back. */

import { isDeepStrictEqual } from 'node:util';
import {
  activeAnnotation,
  type ConnectionType,
  connectionTypeAnnotation,
  kubesphereEndpointAnnotation,
} from '../members/cluster.ts';
import type { KubeSphereConnection, KubeSphereSpec } from './kubesphere-cluster.ts';

export type Annotations = Record<string, string>;

/** Absent means true: a Cluster that was created in Karmada's form takes part in federation (KS-1). */
export const federatedAnnotation = 'cluster.kubesphere.io/federated';
/** JSON of the fields that mean nothing to the product. */
const restAnnotation = 'cluster.kubesphere.io/spec';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
/** Each form has its own last-applied annotation: otherwise kubectl would compare with the other form, and remove fields. */
const faceLastApplied = 'cluster.kubesphere.io/last-applied-configuration';

/** Annotations that are fields in the face: they cannot be written as annotations there. */
export const fieldOfAnnotation: Readonly<Record<string, string>> = {
  [activeAnnotation]: 'spec.active',
  [federatedAnnotation]: 'spec.federated',
  [connectionTypeAnnotation]: 'spec.connection.type',
  [kubesphereEndpointAnnotation]: 'spec.connection.kubesphereAPIEndpoint',
  [restAnnotation]: 'spec',
  [faceLastApplied]: `metadata.annotations.${lastApplied}`,
};

const hidden = new Set([...Object.keys(fieldOfAnnotation), lastApplied]);

/** The fields that are read from annotations. */
export interface FaceFields {
  federated: boolean;
  active: boolean;
  type: ConnectionType;
  kubesphereAPIEndpoint: string | undefined;
  rest: Rest;
}

/** In the structure of the spec, as far as present. */
export type Rest = Pick<KubeSphereSpec, 'externalKubeAPIEnabled' | 'config'> & {
  connection?: Pick<
    KubeSphereConnection,
    'externalKubernetesAPIEndpoint' | 'kubernetesAPIServerPort' | 'kubesphereAPIServerPort'
  >;
};

export const readFields = (annotations: Annotations): FaceFields => ({
  federated: annotations[federatedAnnotation] !== 'false',
  active: annotations[activeAnnotation] !== 'false',
  type: annotations[connectionTypeAnnotation] === 'proxy' ? 'proxy' : 'direct',
  kubesphereAPIEndpoint: annotations[kubesphereEndpointAnnotation] || undefined,
  rest: readRest(annotations[restAnnotation]),
});

/** In Karmada's form these annotations can have any value. One that is not a JSON object is ignored. */
function readRest(text: string | undefined): Rest {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return restOf((typeof value === 'object' && value !== null ? value : {}) as KubeSphereSpec);
  } catch {
    return {};
  }
}

const texts = ['config'] as const;
const ports = ['kubernetesAPIServerPort', 'kubesphereAPIServerPort'] as const;

/** Only fields of the right types, as the result must be valid by the face's own schema. */
export function restOf({ connection = {}, ...spec }: KubeSphereSpec): Rest {
  const inside: NonNullable<Rest['connection']> = {};
  const { externalKubernetesAPIEndpoint: external } = connection ?? {};
  if (typeof external === 'string') inside.externalKubernetesAPIEndpoint = external;
  for (const port of ports) {
    const value = connection?.[port];
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535) inside[port] = value;
  }
  const rest: Rest = Object.keys(inside).length > 0 ? { connection: inside } : {};
  if (typeof spec.externalKubeAPIEnabled === 'boolean') rest.externalKubeAPIEnabled = spec.externalKubeAPIEnabled;
  for (const field of texts) if (typeof spec[field] === 'string') rest[field] = spec[field];
  return rest;
}

/** The annotations that the face shows: those that are fields there are left out. */
export function shownAnnotations(stored: Annotations): Annotations {
  const shown = Object.fromEntries(Object.entries(stored).filter(([key]) => !hidden.has(key)));
  const applied = stored[faceLastApplied];
  return applied === undefined ? shown : { ...shown, [lastApplied]: applied };
}

/** The annotations to store. A value that already means the same stays as it is. */
export function storedAnnotations(given: Annotations, desired: FaceFields, old: Annotations): Annotations {
  const is = readFields(old);
  const stored: Annotations = {};
  for (const [key, text] of Object.entries(old)) if (hidden.has(key)) stored[key] = text;
  for (const [key, text] of Object.entries(given)) if (!hidden.has(key)) stored[key] = text;
  const applied = given[lastApplied];
  if (applied !== old[faceLastApplied]) put(stored, faceLastApplied, applied && withoutCredentials(applied));
  if (is.federated !== desired.federated) stored[federatedAnnotation] = String(desired.federated);
  if (is.active !== desired.active) stored[activeAnnotation] = String(desired.active);
  if (is.type !== desired.type) stored[connectionTypeAnnotation] = desired.type;
  if (is.kubesphereAPIEndpoint !== desired.kubesphereAPIEndpoint)
    put(stored, kubesphereEndpointAnnotation, desired.kubesphereAPIEndpoint);
  if (!isDeepStrictEqual(is.rest, desired.rest)) {
    const isEmpty = Object.keys(desired.rest).length === 0;
    put(stored, restAnnotation, isEmpty ? undefined : JSON.stringify(desired.rest));
  }
  return stored;
}

function put(annotations: Annotations, key: string, text: string | undefined): void {
  if (text === undefined || text === '') delete annotations[key];
  else annotations[key] = text;
}

/** kubectl copies all that it applies into an annotation: credentials are removed from it. */
function withoutCredentials(text: string): string {
  try {
    const applied = JSON.parse(text) as { spec?: { connection?: KubeSphereConnection } } | null;
    const { connection } = applied?.spec ?? {};
    if (connection?.kubeconfig === undefined && connection?.token === undefined) return text;
    delete connection.kubeconfig;
    delete connection.token;
    return JSON.stringify(applied);
  } catch {
    // It is not JSON, so kubectl did not write it, and nobody knows what it contains.
    return '';
  }
}
