/** A member as the rest of the server sees it: two upstreams, and whether it counts as ready. */

import { type Endpoint, HttpsUpstream } from '@fleet/client/https-upstream.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import type { Cluster, Secret, SecretRef } from './cluster.ts';

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

const decode = (secret: Secret, key: string): string | undefined => {
  const value = secret.data?.[key];
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString();
};

/** A Cluster that somebody mistyped must not stop the others from being read. */
const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Undefined while the credential is not there (yet), or the endpoint is no URL. */
function endpointOf({ spec }: Cluster, ref: SecretRef | undefined, readSecret: ReadSecret): Endpoint | undefined {
  const secret = ref && readSecret(ref);
  if (!secret || !spec.apiEndpoint || !isHttpUrl(spec.apiEndpoint)) return undefined;
  const token = decode(secret, 'token');
  return {
    url: spec.apiEndpoint,
    tls: {
      ca: decode(secret, 'caBundle'),
      cert: decode(secret, 'tls.crt'),
      key: decode(secret, 'tls.key'),
      rejectUnauthorized: !spec.insecureSkipTLSVerification,
    },
    ...(token === undefined ? {} : { authorization: async () => `Bearer ${token}` }),
  };
}

/** What a member's connections depend on: unchanged, they go on being used. */
export interface Connection {
  key: string;
  impersonator: Endpoint;
  control: Endpoint;
}

export function connectionOf(cluster: Cluster, readSecret: ReadSecret): Connection | undefined {
  const control = endpointOf(cluster, cluster.spec.secretRef, readSecret);
  const impersonator = endpointOf(cluster, cluster.spec.impersonatorSecretRef, readSecret) ?? control;
  if (!control || !impersonator) return undefined;
  const secrets = [cluster.spec.secretRef, cluster.spec.impersonatorSecretRef].map(
    (ref) => ref && readSecret(ref)?.data,
  );
  const { apiEndpoint, insecureSkipTLSVerification } = cluster.spec;
  const key = JSON.stringify([cluster.metadata.uid, apiEndpoint, insecureSkipTLSVerification, secrets]);
  return { key, impersonator, control };
}

export const connect = (connection: Connection): Pick<Member, 'impersonator' | 'control'> => ({
  impersonator: new HttpsUpstream(connection.impersonator),
  control: new HttpsUpstream(connection.control),
});
