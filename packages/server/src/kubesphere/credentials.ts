/** Stores credentials that are written in KubeSphere's form as Secrets, to which their Cluster refers (KS-1). */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { hashSecret } from '@fleet/tunnel/token.ts';
import { agentTokenRef } from '../members/agent.ts';
import { type Cluster, type Secret, secretsNamespace } from '../members/cluster.ts';
import { clusterAnnotation, serves } from '../members/credential.ts';
import type { Credentials } from './face-rules.ts';

/** Replaces all earlier tokens. */
const tokenKey = 'hash-connection';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const secretsPath = `/api/v1/namespaces/${secretsNamespace}/secrets`;

/** The Cluster with the access data of a kubeconfig. One kubeconfig serves as both credentials. */
export function withAccess(cluster: Cluster, { access }: Credentials): Cluster {
  if (!access) return cluster;
  const secretRef = { namespace: secretsNamespace, name: cluster.metadata.name };
  const { insecureSkipTLSVerification: _, proxyURL: __, ...spec } = cluster.spec;
  const { server, insecureSkipTLSVerification, proxyURL } = access;
  return {
    ...cluster,
    spec: {
      ...spec,
      apiEndpoint: spec.apiEndpoint || server,
      secretRef,
      impersonatorSecretRef: secretRef,
      ...(insecureSkipTLSVerification ? { insecureSkipTLSVerification } : {}),
      ...(proxyURL ? { proxyURL } : {}),
    },
  };
}

interface DesiredSecret {
  name: string;
  data: Record<string, string>;
}

export interface SecretWrites {
  write(): Promise<void>;
}

/** Checks before anything is written: a Secret of another cluster must not be overwritten (SEC-4). */
export async function prepareSecrets(
  client: KubeClient,
  cluster: string,
  { access, token }: Credentials,
  query: string,
): Promise<SecretWrites> {
  const desired: DesiredSecret[] = [
    ...(access ? [{ name: cluster, data: access.data }] : []),
    // Hashed, as `fleet join --agent` stores it: nobody who reads Secrets can log in with it.
    ...(token ? [{ name: agentTokenRef(cluster).name, data: { [tokenKey]: base64(hashSecret(token)) } }] : []),
  ];
  const known = await Promise.all(desired.map(({ name }) => find(client, name)));
  for (const secret of known) if (secret && !serves(secret, cluster)) throw isOfAnother(secret, cluster);
  return {
    write: async () => {
      for (const [index, secret] of desired.entries()) await put(client, cluster, secret, known[index], query);
    },
  };
}

async function find(client: KubeClient, name: string): Promise<Secret | undefined> {
  try {
    return await client.get<Secret>(`${secretsPath}/${encodeURIComponent(name)}`);
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}

async function put(
  client: KubeClient,
  cluster: string,
  { name, data }: DesiredSecret,
  known: Secret | undefined,
  query: string,
): Promise<void> {
  const annotations = { ...known?.metadata.annotations, [clusterAnnotation]: cluster };
  const secret = { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', data };
  if (known) {
    const path = `${secretsPath}/${encodeURIComponent(name)}${query}`;
    await client.replace(path, { ...known, data, metadata: { ...known.metadata, annotations } });
  } else await client.create(`${secretsPath}${query}`, { ...secret, metadata: { name, annotations } });
}

const isOfAnother = ({ metadata }: Secret, cluster: string): StatusError =>
  new StatusError(
    409,
    'Conflict',
    `Secret ${secretsNamespace}/${metadata.name} is not one of cluster "${cluster}": nothing was written`,
    { name: cluster, group: 'cluster.kubesphere.io', kind: 'clusters' },
  );
