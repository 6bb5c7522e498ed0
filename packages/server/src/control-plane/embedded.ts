/** The embedded control plane: an API server over a store in the data directory (CP-1), used through an upstream like any other. */

import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { type ApiServer, encryptedPrefixes, openApiServer } from '@fleet/apiserver/api-server.ts';
import { privileged } from '@fleet/apiserver/authn/user.ts';
import { InProcessUpstream } from '@fleet/apiserver/http/in-process-upstream.ts';
import { openStore } from '@fleet/apiserver/store/open-store.ts';
import { makeFolder } from '@fleet/client/make-folder.ts';
import { readIfThere, writePrivate } from '@fleet/client/private-file.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import type { Logger } from 'pino';
import { secretsNamespace } from '../members/cluster.ts';

/** The Kubernetes version whose behaviour it has. */
const kubernetesVersion = 'v1.36.3';

export interface EmbeddedOptions {
  dataDir: string;
  /** In bytes: how much history is kept. */
  historyLimit: number;
  /** PEM: the CA of the serving certificate. */
  ca: string;
  anonymousAuth: boolean;
  /** `host:port/path` */
  address: string;
  /** Set where federation is on: its admission rules. */
  federation: boolean;
}

/** The module that each thread of the API server loads where federation is on. */
const federationAdmission = new URL('./federation-admission.ts', import.meta.url).href;

export interface EmbeddedControlPlane extends AsyncDisposable {
  upstream: Upstream;
}

/** Made at the first start and kept, so that tokens stay valid after a restart. */
async function openServiceAccountKey(path: string): Promise<string> {
  const kept = await readIfThere(path);
  if (kept) return kept;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const made = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  await writePrivate(path, made);
  return made;
}

export async function openEmbedded(options: EmbeddedOptions, log: Logger): Promise<EmbeddedControlPlane> {
  const { dataDir, historyLimit, ca, anonymousAuth, address, federation } = options;
  await using opening = new AsyncDisposableStack();
  const directory = join(dataDir, 'control-plane');
  await makeFolder(directory);
  const [store, serviceAccountKey] = await Promise.all([
    openStore({
      directory,
      encryptedPrefixes,
      historyLimit,
      warn: (text) => log.warn({ directory }, `the embedded control plane: ${text}`),
    }),
    openServiceAccountKey(join(dataDir, 'pki', 'service-accounts.key')),
  ]);
  opening.use(store);
  const server: ApiServer = await openApiServer({
    store,
    gitVersion: kubernetesVersion,
    access: { serviceAccountKey, rootCa: ca, clientCa: ca, anonymousAuth, address },
    admissionModule: federation ? federationAdmission : undefined,
    whyNamespaceIsKept: (name) => whyNamespaceIsKept(server, name),
    onInternalError: (error) => log.error({ err: error }, 'a request to the embedded control plane failed'),
  });
  opening.use(server);
  const upstream = opening.use(new InProcessUpstream(server.handler, privileged('fleet:control-plane')));
  const running = opening.move();
  return { upstream, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Deleting the namespace would delete the credentials of all members at once. */
async function whyNamespaceIsKept({ resources }: ApiServer, name: string): Promise<string | undefined> {
  if (name !== secretsNamespace) return undefined;
  const clusters = resources.find({ group: 'cluster.karmada.io', version: 'v1alpha1', resource: 'clusters' });
  const isFleet = clusters && (await clusters.registry.list({ limit: 1 })).entries.length > 0;
  return isFleet ? 'this namespace cannot be deleted while Clusters exist: it holds their credentials' : undefined;
}
