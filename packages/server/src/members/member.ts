/** A member as the rest of the server uses it: its upstreams, and whether it is ready. */

import { type CanDial, notLinkLocal } from '@fleet/client/address-check.ts';
import { type Endpoint, HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { isProxyUrl } from '@fleet/client/proxy.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { AnswerMemory } from '@fleet/kube/answer-memory.ts';
import type { Target } from '@fleet/tunnel/targets.ts';
import type { AgentTunnel } from './agent-tunnel.ts';
import { AgentPools, AgentUpstream } from './agent-upstream.ts';
import { type Cluster, connectionTypeOf, type Secret, secretsNamespace } from './cluster.ts';
import { type ConnectionError, invalid, missing, noAgent, unverified } from './connection-error.ts';
import { credentialOf, type ReadSecret } from './credential.ts';
import { Handover } from './handover.ts';
import { Impersonating } from './impersonating.ts';
import { kubesphereEndpointOf } from './kubesphere.ts';
import { VerifiedAgents } from './verified-agents.ts';

export interface Member {
  name: string;
  cluster: Cluster;
  /** For users' requests, with impersonation. */
  impersonator: Upstream;
  /** For the product's own requests: health and discovery. */
  control: Upstream;
  /** Its ks-apiserver, if the Cluster names its endpoint (KS-3). */
  kubesphere?: Upstream | undefined;
  /** False once three probes in a row have failed (CLU-3). */
  ready: boolean;
  /** Why it is not ready, for warnings and errors. */
  reason: string;
}

/** Limits of what a Cluster may refer to (SEC-4), and of its member's answers (SEC-2). */
export interface MemberRules {
  /** The namespaces of its Secrets. */
  secretNamespaces: readonly string[];
  canDial: CanDial;
  /** In bytes: the largest object in memory. All answers over one of the two connections may hold four times as much. */
  objectLimit?: number;
  /** For Clusters of connection type proxy, which are unreachable without it. */
  tunnel?: AgentTunnel;
}

export const defaultRules: MemberRules = { secretNamespaces: [secretsNamespace], canDial: notLinkLocal([]) };

/** The inputs of a member's connections: while they are equal, the connections are kept. */
export interface Connection {
  is: 'connection';
  cluster: string;
  key: string;
  impersonator: Endpoint;
  control: Endpoint;
  kubesphere: Endpoint | undefined;
  /** Undefined: the endpoints are dialled directly. */
  tunnel: AgentTunnel | undefined;
}

export function connectionOf(
  cluster: Cluster,
  readSecret: ReadSecret,
  { secretNamespaces, canDial, objectLimit, tunnel }: MemberRules = defaultRules,
): Connection | ConnectionError {
  const { spec } = cluster;
  const { apiEndpoint, secretRef, impersonatorSecretRef } = spec;
  // Whatever its endpoint is: dialled directly, that address could be another machine (AGENT-11).
  const isTunnelled = connectionTypeOf(cluster) === 'proxy';
  if (isTunnelled && !tunnel) return noAgent('is reached through its agent only, and this server takes no agents');
  // Somebody who has the agent's token could answer: only the certificate proves that it is the member, before a credential is sent.
  if (isTunnelled && spec.insecureSkipTLSVerification)
    return unverified(
      'has insecureSkipTLSVerification, which is refused behind an agent: remove it from the spec. The certificate is checked ' +
        'against the CA that the agent hands over, or caBundle of its Secret, and the host of apiEndpoint',
    );
  if (isTunnelled && !apiEndpoint && !secretRef)
    return missing('has no credential yet: its agent hands it over when it connects');
  // An invalid Cluster must not keep the others from being read.
  if (!apiEndpoint || !isHttpsUrl(apiEndpoint)) return invalid('has no apiEndpoint that is an https URL');
  if (spec.proxyURL && !isProxyUrl(spec.proxyURL))
    return invalid('has a proxyURL that is no http, https or socks5 URL; in a user or password, % is written %25');
  if (!secretRef) return missing('has no secretRef');
  const control = credentialOf(cluster, secretRef, readSecret, secretNamespaces);
  if ('is' in control) return control;
  const impersonator = impersonatorSecretRef
    ? credentialOf(cluster, impersonatorSecretRef, readSecret, secretNamespaces)
    : control;
  if ('is' in impersonator) return impersonator;
  const { insecureSkipTLSVerification } = spec;
  // Separate memory limits: users' requests must not keep the product from probing a member.
  const limits = () => ({ canDial, memory: new AnswerMemory(objectLimit) });
  const kubesphere = kubesphereEndpointOf(cluster, decode(control, 'caBundle'));
  return {
    is: 'connection',
    cluster: cluster.metadata.name,
    key: JSON.stringify([
      cluster.metadata.uid,
      routeOf(cluster),
      insecureSkipTLSVerification,
      control.data,
      impersonator.data,
      kubesphere?.url,
    ]),
    control: { ...endpointOf(cluster, apiEndpoint, control, control), ...limits() },
    impersonator: { ...endpointOf(cluster, apiEndpoint, impersonator, control), ...limits() },
    kubesphere: kubesphere && { ...kubesphere, ...limits() },
    tunnel: isTunnelled ? tunnel : undefined,
  };
}

/** What decides which API server is reached. It may contain the password of a proxy. */
export const routeOf = (cluster: Cluster): readonly unknown[] => {
  const { apiEndpoint = '', proxyURL = '', proxyHeader = {} } = cluster.spec;
  return [apiEndpoint, proxyURL, Object.entries(proxyHeader).toSorted(), connectionTypeOf(cluster)];
};

/** Without TLS, everybody on the network path could read the credential. */
const isHttpsUrl = (text: string): boolean => URL.canParse(text) && new URL(text).protocol === 'https:';

/** Undefined for an empty text: an empty CA would be none, and the system's roots would be trusted. */
const decode = (secret: Secret, key: string): string | undefined =>
  Buffer.from(secret.data?.[key] ?? '', 'base64').toString() || undefined;

/** As in Karmada, the CA may be in only one of the two Secrets. */
function endpointOf({ spec }: Cluster, url: string, secret: Secret, withCa: Secret): Endpoint {
  // Secrets made with an editor end with a newline.
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

export interface Connected extends Record<'impersonator' | 'control', Handover> {
  kubesphere: Upstream | undefined;
}

/** When `end` aborts, it is closed at once with everything on it. */
export function connect(connection: Connection, end?: AbortSignal): Connected {
  const { cluster, tunnel } = connection;
  const { control, impersonator, kubesphere } = tunnel
    ? throughAgents(connection, tunnel, end)
    : {
        control: new HttpsUpstream(connection.control, end),
        impersonator: new HttpsUpstream(connection.impersonator, end),
        kubesphere: connection.kubesphere && new HttpsUpstream(connection.kubesphere, end),
      };
  return {
    impersonator: new Handover(new Impersonating(cluster, impersonator)),
    control: new Handover(control),
    kubesphere,
  };
}

function throughAgents(
  { cluster, control, impersonator, kubesphere }: Connection,
  tunnel: AgentTunnel,
  end: AbortSignal | undefined,
) {
  const ours = new AgentPools(control, 'kubernetes', end);
  const agents = new VerifiedAgents({ cluster, tunnel, over: (agent) => ours.of(agent) });
  const upstream = (target: Target, pools: AgentPools) => new AgentUpstream({ cluster, target, pools, agents });
  return {
    control: upstream('kubernetes', ours),
    impersonator: upstream('kubernetes', new AgentPools(impersonator, 'kubernetes', end)),
    kubesphere: kubesphere && upstream('kubesphere', new AgentPools(kubesphere, 'kubesphere', end)),
  };
}
