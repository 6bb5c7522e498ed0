/** The way to a member's ks-apiserver: its own endpoint, or the service proxy of the member's API server (KS-3). */

import { rootCertificates } from 'node:tls';
import type { Endpoint } from '@fleet/client/https-upstream.ts';
import type { Headers, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { type Cluster, connectionTypeOf, kubesphereEndpointAnnotation, kubesphereTokenAnnotation } from './cluster.ts';

/** As KubeSphere's own dispatch asks for it. */
const serviceProxy = '/api/v1/namespaces/kubesphere-system/services/:ks-apiserver:/proxy';

export const isHttpUrl = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

/** Undefined where it has none, or what is none. */
export function kubesphereEndpointOf(
  { metadata, spec }: Cluster,
  ca: string | undefined,
): Pick<Endpoint, 'url' | 'tls'> | undefined {
  const url = metadata.annotations?.[kubesphereEndpointAnnotation] ?? '';
  if (!isHttpUrl(url)) return undefined;
  // It may have a certificate of the member's CA, or one of a public CA before it.
  const trusted = ca === undefined ? undefined : [...rootCertificates, ca].join('\n');
  return { url, tls: { ca: trusted, rejectUnauthorized: !spec.insecureSkipTLSVerification } };
}

/**
 * ks-apiserver knows users by its own tokens alone: the client's is passed on only where the Cluster allows it, and never without
 * TLS through an agent, which could read it.
 */
export const passesToken = (cluster: Cluster): boolean =>
  cluster.metadata.annotations?.[kubesphereTokenAnnotation] === 'true' &&
  !(connectionTypeOf(cluster) === 'proxy' && isPlain(cluster));

const isPlain = ({ metadata }: Cluster): boolean => {
  const url = metadata.annotations?.[kubesphereEndpointAnnotation] ?? '';
  return URL.canParse(url) && new URL(url).protocol === 'http:';
};

/** The API server takes `Authorization` for itself. */
export const tokenBehindProxy = (authorization: Headers[string]): Headers => ({
  'x-kubesphere-authorization': authorization,
});

/** Every path goes to ks-apiserver, through the proxy of the API server: byte for byte behind it. */
export const throughServiceProxy = (upstream: Upstream): Upstream => {
  const behind = (call: UpstreamCall): UpstreamCall => ({ ...call, path: `${serviceProxy}${call.path}` });
  return {
    call: (call) => upstream.call(behind(call)),
    upgrade: (call) => upstream.upgrade(behind(call)),
    [Symbol.asyncDispose]: async () => {},
  };
};
