/** The API server over a store: its kinds, its handler, and what it does by itself. Knows nothing of fleets. */

import { StatusError } from '@fleet/kube/status.ts';
import { FieldOwner } from './http/field-owner.ts';
import { createHandler } from './http/handler.ts';
import type { ApiHandler } from './http/message.ts';
import { configMaps, namespaces, secrets } from './kinds/core.ts';
import { admitToNamespace } from './namespaces/admission.ts';
import { emptyNamespaces } from './namespaces/emptying.ts';
import type { PrintedKind } from './registry/printed-kind.ts';
import { Registry } from './registry/registry.ts';
import { keyPrefix } from './registry/resource-kind.ts';
import { startCompaction } from './store/compaction.ts';
import type { ObjectStore } from './store/object-store.ts';

const kinds: readonly PrintedKind[] = [configMaps, namespaces, secrets];

/** What the store has to encrypt (CP-6). */
export const encryptedPrefixes: readonly string[] = [keyPrefix(secrets)];

/** There from the beginning, as in every cluster. */
const firstNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

export interface ApiServerOptions {
  store: ObjectStore;
  /** The Kubernetes version that it behaves like, as in `v1.36.3`. */
  gitVersion: string;
  /** Told of what no client is told. */
  onInternalError(error: unknown): void;
}

export interface ApiServer extends AsyncDisposable {
  handler: ApiHandler;
}

/** The store stays the caller's. */
export async function openApiServer({ store, gitVersion, onInternalError }: ApiServerOptions): Promise<ApiServer> {
  const registries = await Promise.all(kinds.map((kind) => Registry.open(store, kind)));
  const spaces = registries[kinds.indexOf(namespaces)]!;
  await Promise.all(firstNamespaces.map((name) => ensureNamespace(spaces, name)));

  const compaction = startCompaction(store, { onError: onInternalError });
  const ending = new AbortController();
  const contents = registries.filter(({ kind }) => kind.namespaced);
  const emptying = emptyNamespaces({ namespaces: spaces, contents, signal: ending.signal, onError: onInternalError });

  const resources = kinds.map((printed, index) => ({
    printed,
    registry: registries[index]!,
    owner: new FieldOwner(printed),
    admit: admitToNamespace(spaces, printed),
  }));
  return {
    handler: createHandler({ resources, gitVersion, onInternalError }),
    [Symbol.asyncDispose]: async () => {
      compaction[Symbol.dispose]();
      ending.abort();
      await emptying;
      await Promise.all(registries.map((registry) => registry[Symbol.asyncDispose]()));
    },
  };
}

async function ensureNamespace(registry: Registry, name: string): Promise<void> {
  try {
    await registry.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  } catch (error) {
    if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error;
  }
}
