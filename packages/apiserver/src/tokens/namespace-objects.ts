/** Every namespace has a ServiceAccount `default` and the server's CA in a ConfigMap, and gets them back. */

import { StatusError } from '@fleet/kube/status.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { LiveCopy } from '../registry/live-copy.ts';
import type { Registry } from '../registry/registry.ts';

const defaultAccount = 'default';
const caName = 'kube-root-ca.crt';

export interface NamespaceObjectsOptions {
  namespaces: Registry;
  accounts: Registry;
  configMaps: Registry;
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
  /** Resolves when the namespaces of the start have theirs. */
  settled: Promise<void>;
}

export function ensureNamespaceObjects(options: NamespaceObjectsOptions): NamespaceObjects {
  const { namespaces, accounts, configMaps, rootCa, onError } = options;
  const under = new Set<Promise<void>>();
  const start = (work: () => Promise<void>): void => {
    const settled = work().catch((error: unknown) => {
      // There already, or the namespace is gone or going.
      if (!(error instanceof StatusError && [403, 404, 409].includes(error.code))) onError(error);
    });
    under.add(settled);
    settled.then(() => under.delete(settled));
  };

  const isThere = (name: string): boolean => {
    const space = spaces.get(name);
    return space !== undefined && !space.metadata.deletionTimestamp;
  };
  const account = async (namespace: string): Promise<void> => {
    const object = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: defaultAccount } };
    if (isThere(namespace)) await accounts.create(object, { namespace });
  };
  const map = async (namespace: string, known?: KubeObject): Promise<void> => {
    if (rootCa === undefined || !isThere(namespace)) return;
    if (!known) await configMaps.create(caMap(rootCa), { namespace });
    else if ((known['data'] as Record<string, string> | undefined)?.['ca.crt'] !== rootCa)
      await configMaps.update(caName, { namespace }, (old) => ({ ...old!, data: { 'ca.crt': rootCa } }));
  };

  const named = (name: string) => ({ fields: [{ field: 'metadata.name', value: name, equal: true }] });
  const maps = new LiveCopy({
    registry: configMaps,
    selection: named(caName),
    onChange: (now, before) => start(() => map((now ?? before)!.metadata.namespace!, now)),
    onError,
  });
  const defaults = new LiveCopy({
    registry: accounts,
    selection: named(defaultAccount),
    onChange: (now, before) => {
      if (!now) start(() => account(before!.metadata.namespace!));
    },
    onError,
  });
  const known = Promise.all([maps.synced, defaults.synced]);
  const spaces = new LiveCopy({
    registry: namespaces,
    onChange: (now) => {
      if (!now) return;
      const name = now.metadata.name!;
      start(async () => {
        await known;
        if (!defaults.get(defaultAccount, name)) await account(name);
      });
      start(async () => {
        await known;
        if (!maps.get(caName, name)) await map(name);
      });
    },
    onError,
  });
  return {
    settled: spaces.synced.then(async () => {
      await Promise.all(under);
    }),
    async [Symbol.asyncDispose]() {
      await Promise.all([spaces, maps, defaults].map((copy) => copy[Symbol.asyncDispose]()));
      await Promise.all(under);
    },
  };
}
