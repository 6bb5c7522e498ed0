/** Reads a member's endpoint and one credential from a kubeconfig. Files and programs that it names are refused. */

import type { Kubeconfig } from '@fleet/client/kubeconfig.ts';
import { withoutEnding } from '@fleet/kube/trim-end.ts';
import { parse } from 'yaml';

export interface MemberAccess {
  server: string;
  insecureSkipTLSVerification: boolean;
  proxyURL: string | undefined;
  /** The data of a Secret, in base64, with Karmada's keys. */
  data: Record<string, string>;
}

export class KubeconfigError extends Error {}

/** Otherwise everybody who can write Clusters could name a file or program of the host. */
const ofTheHost = [
  'certificate-authority',
  'client-certificate',
  'client-key',
  'tokenFile',
  'exec',
  'auth-provider',
] as const;
const unsupported = ['username', 'password', 'tls-server-name'] as const;

const unpadded = (text: string): string => withoutEnding(text, (sign) => sign === '=');

/** `encoded`: base64, as Kubernetes writes bytes in JSON. */
export function readKubeconfig(encoded: string): MemberAccess {
  const bytes = Buffer.from(encoded, 'base64');
  if (unpadded(bytes.toString('base64')) !== unpadded(encoded)) throw new KubeconfigError('must be base64');
  const { cluster, user } = currentContext(parsed(bytes.toString()));
  for (const field of ofTheHost)
    if (field in cluster || field in user)
      throw new KubeconfigError(`must hold its credentials inline, without ${field}: the server reads no files for it`);
  for (const field of unsupported)
    if (field in cluster || field in user) throw new KubeconfigError(`uses ${field}, which is not supported`);
  const { 'client-certificate-data': cert, 'client-key-data': key, token } = user;
  if (!token && !(cert && key)) throw new KubeconfigError('has neither a token nor a client certificate with its key');
  const ca = cluster['certificate-authority-data'];
  return {
    server: cluster.server,
    insecureSkipTLSVerification: cluster['insecure-skip-tls-verify'] === true,
    proxyURL: cluster['proxy-url'],
    data: {
      ...(ca ? { caBundle: ca } : {}),
      ...(token ? { token: Buffer.from(token).toString('base64') } : {}),
      ...(cert && key ? { 'tls.crt': cert, 'tls.key': key } : {}),
    },
  };
}

function parsed(text: string): Kubeconfig {
  try {
    const config: unknown = parse(text);
    if (typeof config === 'object' && config !== null) return config as Kubeconfig;
  } catch {
    // The error below does not quote the text, which is a credential.
  }
  throw new KubeconfigError('is no kubeconfig: it is not valid YAML');
}

type NamedCluster = NonNullable<Kubeconfig['clusters']>[number]['cluster'];
type NamedUser = NonNullable<Kubeconfig['users']>[number]['user'];

function currentContext(config: Kubeconfig): { cluster: NamedCluster; user: NamedUser } {
  const listed = <T>(list: unknown): T[] => (Array.isArray(list) ? (list as T[]) : []);
  const context = listed<NonNullable<Kubeconfig['contexts']>[number]>(config.contexts).find(
    (one) => one?.name === config['current-context'],
  )?.context;
  if (!context) throw new KubeconfigError('has no context with the name in its current-context');
  const cluster = listed<{ name: string; cluster: NamedCluster }>(config.clusters).find(
    (one) => one?.name === context.cluster,
  )?.cluster;
  if (typeof cluster?.server !== 'string') throw new KubeconfigError('names a cluster that has no server');
  const user = listed<{ name: string; user: NamedUser }>(config.users).find((one) => one?.name === context.user)?.user;
  if (!user) throw new KubeconfigError('names a user that does not exist');
  return { cluster, user };
}
