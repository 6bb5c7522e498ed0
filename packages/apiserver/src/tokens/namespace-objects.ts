/** Creates the ServiceAccount `default` and the ConfigMap with the server's CA in every namespace, again if they are deleted. */

import { isNamespaceTerminating, isStatus } from '@fleet/client/kube-client.ts';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import { settledAdmission } from '../http/admitted.ts';
import type { Resource } from '../http/verb.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { LiveCopy } from '../registry/live-copy.ts';
import type { ObjectRegistry } from '../registry/registry.ts';

const defaultAccount = 'default';
const caName = 'kube-root-ca.crt';

type Served = Pick<Resource, 'registry' | 'validate'>;

export interface NamespaceObjectsOptions {
  namespaces: ObjectRegistry;
  accounts: Served;
  configMaps: Served;
  /** PEM. Without it there is no ConfigMap. */
  rootCa: string | undefined;
  onError(error: unknown): void;
}

const caMap = (rootCa: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: caName,
    annotations: {
      'kubernetes.io/description':
        'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
    },
  },
  data: { 'ca.crt': rootCa },
});

export interface NamespaceObjects extends AsyncDisposable {
  /** Resolves when the namespaces from before the start have both. */
  settled: Promise<void>;
}

const workers = 4;

export function ensureNamespaceObjects(options: NamespaceObjectsOptions): NamespaceObjects {
  const { namespaces, accounts, configMaps, rootCa, onError } = options;

  // Quotas of the namespace apply, as to the controllers of Kubernetes.
  const create = async ({ registry, validate }: Served, object: KubeObject, namespace: string): Promise<void> => {
    const admitSettled = settledAdmission(validate, { namespace, subresource: undefined }, false);
    await registry.create(object, { namespace, admitSettled });
  };
  const account = async (namespace: string): Promise<void> => {
    const object = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: defaultAccount } };
    if (!defaults.get(defaultAccount, namespace)) await create(accounts, object, namespace);
  };
  const map = async (namespace: string): Promise<void> => {
    if (rootCa === undefined) return;
    const known = maps.get(caName, namespace);
    if (!known) await create(configMaps, caMap(rootCa), namespace);
    else if ((known['data'] as Record<string, string> | undefined)?.['ca.crt'] !== rootCa)
      await configMaps.registry.update(caName, { namespace }, (old) => ({ ...old!, data: { 'ca.crt': rootCa } }));
  };
  const ensure = async (namespace: string): Promise<boolean> => {
    const space = spaces.get(namespace);
    if (!space || space.metadata.deletionTimestamp) return true;
    const hasAccount = await tried(account(namespace));
    const hasMap = await tried(map(namespace));
    return hasAccount && hasMap;
  };
  const queue = new WorkQueue<string>({ work: ensure, onError, workers });
  const look = (namespace = ''): void => void known.then(() => queue.add(namespace, namespace));

  const named = (name: string) => ({ fields: [{ field: 'metadata.name', value: name, equal: true }] });
  const maps = new LiveCopy({
    registry: configMaps.registry,
    selection: named(caName),
    onChange: (now, before) => look((now ?? before)!.metadata.namespace),
    onError,
  });
  const defaults = new LiveCopy({
    registry: accounts.registry,
    selection: named(defaultAccount),
    onChange: (now, before) => {
      if (!now) look(before!.metadata.namespace);
    },
    onError,
  });
  const spaces = new LiveCopy({ registry: namespaces, onChange: (now) => now && look(now.metadata.name), onError });
  const known = Promise.all([maps, defaults, spaces].map(({ synced }) => synced));
  return {
    settled: known.then(() => {
      for (const { metadata } of spaces.values()) queue.add(metadata.name!, metadata.name!);
      return queue.idle;
    }),
    async [Symbol.asyncDispose]() {
      await Promise.all([spaces, maps, defaults].map((copy) => copy[Symbol.asyncDispose]()));
      await queue[Symbol.asyncDispose]();
    },
  };
}

/** False if a quota refused it, which is retried later. */
async function tried(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    // It exists already, or the namespace is deleted or terminating: the informer will see that.
    if (isStatus(error, 404) || isStatus(error, 409) || isNamespaceTerminating(error)) return true;
    if (isStatus(error, 403)) return false;
    throw error;
  }
}
