/** Builds the objects of a member in the control plane: its Cluster and Secrets (CLU-2). */

import type { Endpoint } from '@fleet/client/https-upstream.ts';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import { leavingAnnotation } from '@fleet/federation/members/leaving.ts';
import { clusterAnnotation, clustersPath, secretsNamespace } from '../cluster.ts';
import { managed } from '../labels.ts';
import type { Desired, Manifest } from './manifest.ts';

const secretsPath = `/api/v1/namespaces/${secretsNamespace}/secrets`;

export interface Credentials {
  /** Tokens in base64. */
  control: string;
  impersonator: string;
  ca: string | undefined;
}

export interface MemberFacts {
  name: string;
  uid: string;
  endpoint: Endpoint;
  region?: string | undefined;
  provider?: string | undefined;
}

const secretNames = (cluster: string) => ({ control: cluster, impersonator: `${cluster}-impersonator` });

export const secretPathsOf = (cluster: string): string[] =>
  Object.values(secretNames(cluster)).map((name) => `${secretsPath}/${name}`);

export function secretsOf(cluster: string, { control, impersonator, ca }: Credentials): Desired[] {
  const names = secretNames(cluster);
  const secret = (name: string, token: string): Desired => ({
    collection: secretsPath,
    object: {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: { name, namespace: secretsNamespace, labels: managed, annotations: { [clusterAnnotation]: cluster } },
      data: { token, ...(ca ? { caBundle: Buffer.from(ca).toString('base64') } : {}) },
    },
  });
  return [secret(names.control, control), secret(names.impersonator, impersonator)];
}

/** Takes off the mark of an unjoin that was not completed: federation gives it objects again (FED-9). */
export async function keepInFederation(client: KubeClient, { metadata }: Manifest, signal: AbortSignal): Promise<void> {
  if (metadata.annotations?.[leavingAnnotation] === undefined) return;
  const patch = { metadata: { annotations: { [leavingAnnotation]: null } } };
  await client.patch(`${clustersPath}/${metadata.name}`, 'merge', patch, signal);
}

export function clusterOf({ name, uid, endpoint, region, provider }: MemberFacts): Desired {
  const names = secretNames(name);
  return {
    collection: clustersPath,
    object: {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name, labels: managed },
      spec: {
        id: uid,
        syncMode: 'Push',
        apiEndpoint: endpoint.url,
        secretRef: { namespace: secretsNamespace, name: names.control },
        impersonatorSecretRef: { namespace: secretsNamespace, name: names.impersonator },
        // Set even if false, so that a second join with a better kubeconfig takes it back.
        insecureSkipTLSVerification: endpoint.tls.rejectUnauthorized === false,
        ...(endpoint.proxy ? { proxyURL: endpoint.proxy.url } : {}),
        ...(region === undefined ? {} : { region }),
        ...(provider === undefined ? {} : { provider }),
      },
    },
  };
}
