/** Where a Karmada Cluster keeps what only KubeSphere's has: annotations, which the face shows as fields instead. */

import { isDeepStrictEqual } from 'node:util';
import {
  activeAnnotation,
  type ConnectionType,
  connectionTypeAnnotation,
  kubesphereEndpointAnnotation,
} from '../members/cluster.ts';
import type { KubeSphereConnection, KubeSphereSpec } from './kubesphere-cluster.ts';

export type Annotations = Record<string, string>;

/** Absent means true: a Cluster of the Karmada face takes part in federation (KS-1). */
export const federatedAnnotation = 'cluster.kubesphere.io/federated';
/** JSON of the fields that have no meaning for the product. */
const restAnnotation = 'cluster.kubesphere.io/spec';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
/** Each face has its own: kubectl would take one face's for what it last applied to the other, and remove fields. */
const faceLastApplied = 'cluster.kubesphere.io/last-applied-configuration';

/** Not to be written as annotations in the face: they are fields there. */
export const fieldOfAnnotation: Readonly<Record<string, string>> = {
  [activeAnnotation]: 'spec.active',
  [federatedAnnotation]: 'spec.federated',
  [connectionTypeAnnotation]: 'spec.connection.type',
  [kubesphereEndpointAnnotation]: 'spec.connection.kubesphereAPIEndpoint',
  [restAnnotation]: 'spec',
  [faceLastApplied]: `metadata.annotations.${lastApplied}`,
};

const hidden = new Set([...Object.keys(fieldOfAnnotation), lastApplied]);

/** What the annotations say. */
export interface FaceFields {
  federated: boolean;
  active: boolean;
  type: ConnectionType;
  kubesphereAPIEndpoint: string | undefined;
  rest: Rest;
}

/** In the shape of the spec, as far as it is there. */
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

/** The Karmada face lets anybody write anything there; what is no object says nothing. */
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

/** Only fields of the right types: what is shown must be valid by the face's own schema. */
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

/** The annotations of the face: those that are fields there are left out. */
export function shownAnnotations(stored: Annotations): Annotations {
  const shown = Object.fromEntries(Object.entries(stored).filter(([key]) => !hidden.has(key)));
  const applied = stored[faceLastApplied];
  return applied === undefined ? shown : { ...shown, [lastApplied]: applied };
}

/** The annotations to be stored: texts that mean what they shall mean stay as they are. */
export function storedAnnotations(given: Annotations, wanted: FaceFields, old: Annotations): Annotations {
  const is = readFields(old);
  const stored: Annotations = {};
  for (const [key, text] of Object.entries(old)) if (hidden.has(key)) stored[key] = text;
  for (const [key, text] of Object.entries(given)) if (!hidden.has(key)) stored[key] = text;
  const applied = given[lastApplied];
  if (applied !== old[faceLastApplied]) put(stored, faceLastApplied, applied && withoutCredentials(applied));
  if (is.federated !== wanted.federated) stored[federatedAnnotation] = String(wanted.federated);
  if (is.active !== wanted.active) stored[activeAnnotation] = String(wanted.active);
  if (is.type !== wanted.type) stored[connectionTypeAnnotation] = wanted.type;
  if (is.kubesphereAPIEndpoint !== wanted.kubesphereAPIEndpoint)
    put(stored, kubesphereEndpointAnnotation, wanted.kubesphereAPIEndpoint);
  if (!isDeepStrictEqual(is.rest, wanted.rest)) {
    const isEmpty = Object.keys(wanted.rest).length === 0;
    put(stored, restAnnotation, isEmpty ? undefined : JSON.stringify(wanted.rest));
  }
  return stored;
}

function put(annotations: Annotations, key: string, text: string | undefined): void {
  if (text === undefined || text === '') delete annotations[key];
  else annotations[key] = text;
}

/** kubectl writes all that it applies into an annotation: credentials would be shown there. */
function withoutCredentials(text: string): string {
  try {
    const applied = JSON.parse(text) as { spec?: { connection?: KubeSphereConnection } } | null;
    const { connection } = applied?.spec ?? {};
    if (connection?.kubeconfig === undefined && connection?.token === undefined) return text;
    delete connection.kubeconfig;
    delete connection.token;
    return JSON.stringify(applied);
  } catch {
    // kubectl wrote nothing that is no JSON, and nobody can tell what is in it.
    return '';
  }
}
