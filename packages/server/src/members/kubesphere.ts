/** Reaches a member's ks-apiserver: by its own endpoint, or by the service proxy of the member's API server (KS-3). */

import { rootCertificates } from 'node:tls';
import type { Endpoint } from '@fleet/client/https-upstream.ts';
import type { Headers, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { type Cluster, connectionTypeOf, kubesphereEndpointAnnotation, kubesphereTokenAnnotation } from './cluster.ts';

/** The path in KubeSphere's own dispatch. */
const serviceProxy = '/api/v1/namespaces/kubesphere-system/services/:ks-apiserver:/proxy';

export const isHttpUrl = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

/** Undefined if it has none, or an invalid one. */
export function kubesphereEndpointOf(
  { metadata, spec }: Cluster,
  ca: string | undefined,
): Pick<Endpoint, 'url' | 'tls'> | undefined {
  const url = metadata.annotations?.[kubesphereEndpointAnnotation] ?? '';
  if (!isHttpUrl(url)) return undefined;
  // Its certificate may be of the member's CA, or of a public one.
  const trusted = ca === undefined ? undefined : [...rootCertificates, ca].join('\n');
  return { url, tls: { ca: trusted, rejectUnauthorized: !spec.insecureSkipTLSVerification } };
}

/**
 * ks-apiserver accepts its own tokens only: the client's is passed on if the Cluster allows it, and never without
 * TLS through an agent, which could read it.
 */
export const passesToken = (cluster: Cluster): boolean =>
  cluster.metadata.annotations?.[kubesphereTokenAnnotation] === 'true' &&
  !(connectionTypeOf(cluster) === 'proxy' && isPlain(cluster));

const isPlain = ({ metadata }: Cluster): boolean => {
  const url = metadata.annotations?.[kubesphereEndpointAnnotation] ?? '';
  return URL.canParse(url) && new URL(url).protocol === 'http:';
};

/** The API server removes `Authorization`, so the token is sent in another header. */
export const tokenBehindProxy = (authorization: Headers[string]): Headers => ({
  'x-kubesphere-authorization': authorization,
});

/** Sends every path to ks-apiserver, through the API server's service proxy. The part after it is not changed. */
export const throughServiceProxy = (upstream: Upstream): Upstream => {
  const behind = (call: UpstreamCall): UpstreamCall => ({ ...call, path: `${serviceProxy}${call.path}` });
  return {
    call: (call) => upstream.call(behind(call)),
    upgrade: (call) => upstream.upgrade(behind(call)),
    [Symbol.asyncDispose]: async () => {},
  };
};
