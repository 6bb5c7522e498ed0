/** Refuses new objects of a definition that is deleted or being deleted, as they would outlive it. */

import { noSuchResource, StatusError } from '@fleet/kube/status.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { outlineInSlices } from '../registry/outline.ts';
import type { ObjectRegistry } from '../registry/registry.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import type { Entry, Requirement } from '../store/object-store.ts';
import { noNewObjects } from './custom/custom-kind.ts';

/** For objects of one kind. `definitions` is called for the first of them. */
export function admitToDefinition(definitions: () => ObjectRegistry, kind: ResourceKind): () => Promise<Requirement> {
  let known: { revision: number; metadata: KubeObject['metadata'] } | undefined;
  return async () => {
    const { key, value, revision } = await find(definitions(), kind);
    // Definitions may be large: one is parsed again only after it has changed.
    if (known?.revision !== revision) known = { revision, metadata: (await outlineInSlices(value)).object.metadata };
    if (known.metadata.deletionTimestamp) throw noNewObjects(kind);
    return { key, revision };
  };
}

async function find(definitions: ObjectRegistry, { group, resource }: ResourceKind): Promise<Entry> {
  try {
    return await definitions.get(`${resource}.${group}`);
  } catch (error) {
    throw error instanceof StatusError && error.code === 404 ? noSuchResource() : error;
  }
}
