/** A member as the rest of the server sees it: two upstreams, and whether it counts as ready. */

import { type Endpoint, HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { isProxyUrl } from '@fleet/client/proxy.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import type { Cluster, Secret, SecretRef } from './cluster.ts';
import { Impersonating } from './impersonating.ts';

export interface Member {
  name: string;
  cluster: Cluster;
  /** Carries users' requests, as them. */
  impersonator: Upstream;
  /** The product's own: health and discovery. */
  control: Upstream;
  /** False once three probes in a row have failed (CLU-3). */
  ready: boolean;
  /** Why it is not ready, for warnings and errors. */
  reason: string;
}

export type ReadSecret = (ref: SecretRef) => Secret | undefined;

/** What a member's connections depend on: unchanged, they go on being used. */
export interface Connection {
  is: 'connection';
  cluster: string;
  key: string;
  impersonator: Endpoint;
  control: Endpoint;
}

/** Why there is no way to a member: for its Cluster's condition. */
export interface Obstacle {
  is: 'obstacle';
  reason: 'CredentialMissing' | 'EndpointInvalid';
  message: string;
}

export function connectionOf(cluster: Cluster, readSecret: ReadSecret): Connection | Obstacle {
  const { spec } = cluster;
  const { apiEndpoint, secretRef, impersonatorSecretRef } = spec;
  // A Cluster that somebody mistyped must not stop the others from being read.
  if (!apiEndpoint || !isHttpUrl(apiEndpoint)) return invalid('has no apiEndpoint that is an http or https URL');
  if (spec.proxyURL && !isProxyUrl(spec.proxyURL))
    return invalid('has a proxyURL that is no http, https or socks5 URL');
  if (!secretRef) return missing('has no secretRef');
  const control = readSecret(secretRef);
  if (!control) return missing(`has no credential: there is no Secret ${secretRef.namespace}/${secretRef.name}`);
  const impersonator = impersonatorSecretRef ? readSecret(impersonatorSecretRef) : control;
  if (!impersonator) {
    const { namespace, name } = impersonatorSecretRef!;
    return missing(`has no credential for users: there is no Secret ${namespace}/${name}`);
  }
  const { insecureSkipTLSVerification, proxyURL, proxyHeader } = spec;
  return {
    is: 'connection',
    cluster: cluster.metadata.name,
    key: JSON.stringify([
      cluster.metadata.uid,
      apiEndpoint,
      insecureSkipTLSVerification,
      proxyURL,
      proxyHeader,
      control.data,
      impersonator.data,
    ]),
    control: endpointOf(cluster, apiEndpoint, control, control),
    impersonator: endpointOf(cluster, apiEndpoint, impersonator, control),
  };
}

const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
const missing = (message: string): Obstacle => ({ is: 'obstacle', reason: 'CredentialMissing', message });
const invalid = (message: string): Obstacle => ({ is: 'obstacle', reason: 'EndpointInvalid', message });

/** Undefined for nothing: an empty CA is none, and so are the system's roots used. */
const decode = (secret: Secret, key: string): string | undefined =>
  Buffer.from(secret.data?.[key] ?? '', 'base64').toString() || undefined;

/** The CA may stand in the one Secret only, as Karmada has it. */
function endpointOf({ spec }: Cluster, url: string, secret: Secret, withCa: Secret): Endpoint {
  // People make Secrets with editors, which end files with a newline.
  const token = decode(secret, 'token')?.trim();
  return {
    url,
    tls: {
      ca: decode(secret, 'caBundle') ?? decode(withCa, 'caBundle'),
      cert: decode(secret, 'tls.crt'),
      key: decode(secret, 'tls.key'),
      rejectUnauthorized: !spec.insecureSkipTLSVerification,
    },
    ...(spec.proxyURL ? { proxy: { url: spec.proxyURL, headers: spec.proxyHeader } } : {}),
    ...(token ? { authorization: async () => `Bearer ${token}` } : {}),
  };
}

/** Ended at once, with all that goes over them, when `end` aborts. */
export const connect = (connection: Connection, end?: AbortSignal): Pick<Member, 'impersonator' | 'control'> => ({
  impersonator: new Impersonating(connection.cluster, new HttpsUpstream(connection.impersonator, end)),
  control: new HttpsUpstream(connection.control, end),
});
