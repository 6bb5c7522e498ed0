/** Installs what the product needs in the control plane: CRDs, the namespace of credentials, permissions for its admins (CP-3). */

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isStatus, type KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { covers } from '@fleet/kube/covers.ts';
import type { Logger } from 'pino';
import { stringify } from 'yaml';
import { secretsNamespace } from '../members/cluster.ts';

interface CustomResourceDefinition extends KubeObject {
  spec: { group: string; names: { plural: string }; versions: { name: string }[] };
  status?: { conditions?: { type: string; status: string }[] };
}

interface ApiService extends KubeObject {
  spec?: { service?: unknown };
}

/** The manifests have Karmada's names and types, so that objects can be moved. They are JSON, as parsing YAML slowed the start. */
const manifests = new URL('../../manifests/', import.meta.url);
const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const apiServicesPath = '/apis/apiregistration.k8s.io/v1/apiservices';
const establishDeadline = 30_000;

const adminsBinding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'fleet:admins', labels: { 'app.kubernetes.io/managed-by': 'fleet' } },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'fleet:admins' }],
};

export interface Bootstrapped {
  /** False if another product, such as Karmada, serves Cluster and writes its status (CLU-2). */
  ownsClusters: boolean;
  /** The same for ResourceRegistry (CACHE-1). */
  ownsRegistries: boolean;
}

export async function bootstrapControlPlane(client: KubeClient, log: Logger): Promise<Bootstrapped> {
  await installCrds(client, manifests, log);
  await ensure(
    client,
    '/api/v1/namespaces',
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: secretsNamespace },
    },
    log,
  );
  await ensure(client, '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', adminsBinding, log);
  const [ownsClusters, ownsRegistries] = await Promise.all([
    areOurs(client, 'clusters', 'cluster.karmada.io'),
    areOurs(client, 'resourceregistries', 'search.karmada.io'),
  ]);
  if (!ownsClusters) log.info('Cluster is served by another product, which writes its status');
  if (!ownsRegistries) log.info('ResourceRegistry is served by another product: its status is not written');
  return { ownsClusters, ownsRegistries };
}

/** Installs the CRDs of a folder. A kind that is served already is used as it is. */
export async function installCrds(client: KubeClient, folder: URL, log: Logger): Promise<void> {
  for (const file of (await readdir(folder)).sort()) {
    await installCrd(client, readManifest(await readFile(new URL(file, folder), 'utf8')), log);
  }
}

/** Annotates the CRD with a hash of its manifest, by which a newer manifest is recognised. */
export function readManifest(text: string): CustomResourceDefinition {
  const crd = JSON.parse(text) as CustomResourceDefinition;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  crd.metadata.annotations = { ...crd.metadata.annotations, 'fleet.karmada.io/manifest': hash };
  return crd;
}

/** Whether the kind is served by this product's CRD, and not by an aggregated API in front of it. */
async function areOurs(client: KubeClient, plural: string, group: string): Promise<boolean> {
  const crd = await find<CustomResourceDefinition>(client, `${crdPath}/${plural}.${group}`);
  if (!crd || !isOurs(crd)) return false;
  const service = await find<ApiService>(client, `${apiServicesPath}/v1alpha1.${group}`);
  return !service?.spec?.service;
}

const isOurs = ({ metadata }: KubeObject): boolean => metadata.labels?.['app.kubernetes.io/managed-by'] === 'fleet';

/** Undefined if it does not exist, or the product is not allowed to read it. */
async function find<T>(client: KubeClient, path: string): Promise<T | undefined> {
  try {
    return await client.get<T>(path);
  } catch (error) {
    if (isStatus(error, 404) || isStatus(error, 403)) return undefined;
    throw error;
  }
}

/** A kind that the control plane already serves, as a Karmada does, is used as it is. */
async function installCrd(client: KubeClient, crd: CustomResourceDefinition, log: Logger): Promise<void> {
  const { group, names, versions } = crd.spec;
  if (await serves(client, `/apis/${group}/${versions[0]!.name}/${names.plural}?limit=1`)) {
    await updateOurs(client, crd, log);
    return;
  }
  await client.create(crdPath, crd).catch((error: unknown) => {
    // Another replica was first.
    if (!isStatus(error, 409)) throw error;
  });
  await established(client, crd.metadata.name);
  log.info({ crd: crd.metadata.name }, 'a CRD was installed in the control plane');
}

/** Updates a CRD of this product to a newer manifest. One that somebody else installed is left alone. */
async function updateOurs(client: KubeClient, crd: CustomResourceDefinition, log: Logger): Promise<void> {
  const path = `${crdPath}/${crd.metadata.name}`;
  try {
    const known = await client.get<CustomResourceDefinition>(path);
    // This runs at every start, and the CRD has nearly always the same hash.
    if (!isOurs(known) || covers(known, crd)) return;
    await client.patch(`${path}?fieldManager=fleet&force=true`, 'apply', crd);
  } catch (error) {
    if (!isStatus(error, 404) && !isStatus(error, 403)) throw error;
    log.debug({ err: error, crd: crd.metadata.name }, 'a CRD was not updated');
  }
}

async function serves(client: KubeClient, path: string): Promise<boolean> {
  try {
    await client.get(path);
    return true;
  } catch (error) {
    if (isStatus(error, 404)) return false;
    throw error;
  }
}

async function established(client: KubeClient, name: string): Promise<void> {
  const deadline = AbortSignal.timeout(establishDeadline);
  for (;;) {
    const { status } = await client.get<CustomResourceDefinition>(`${crdPath}/${name}`, deadline);
    const ready = status?.conditions?.some(
      (condition) => condition.type === 'Established' && condition.status === 'True',
    );
    if (ready) return;
    await delay(50, undefined, { signal: deadline });
  }
}

/** Creates the object if it does not exist. If the product is not allowed to, the operator is shown what to apply. */
async function ensure(client: KubeClient, path: string, object: KubeObject, log: Logger): Promise<void> {
  try {
    await client.get(`${path}/${object.metadata.name}`);
  } catch (error) {
    if (!isStatus(error, 404) && !isStatus(error, 403)) throw error;
    try {
      await client.create(path, object);
    } catch (refused) {
      if (isStatus(refused, 409)) return;
      if (!isStatus(refused, 403)) throw refused;
      log.warn(`not allowed to create this in the control plane; apply it by hand:\n${stringify(object)}`);
    }
  }
}
