/** Reads and writes single objects for the collector, always from the store, never from a cache. */

import { isDeepStrictEqual } from 'node:util';
import { StatusError } from '@fleet/kube/status.ts';
import type { DeleteOptions } from '../registry/delete.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { foregroundFinalizer, orphanFinalizer } from '../registry/metadata-rules.ts';
import { outlineInSlices } from '../registry/outline.ts';
import type { ObjectRegistry } from '../registry/registry.ts';
import type { Item } from './ownership.ts';

export const isCode = (error: unknown, code: number): boolean => error instanceof StatusError && error.code === code;

/** Its metadata, and other small fields. */
export async function read(
  registry: ObjectRegistry,
  { name, namespace }: Pick<Item, 'name' | 'namespace'>,
): Promise<KubeObject | undefined> {
  try {
    const { value, revision } = await registry.get(name, { namespace });
    const { object } = await outlineInSlices(value);
    object.metadata.resourceVersion = String(revision);
    return object;
  } catch (error) {
    if (isCode(error, 404)) return undefined;
    throw error;
  }
}

type Policy = NonNullable<DeleteOptions['propagationPolicy']>;

/** `object` is the state in which its owners were absent: if it has other owners now, it is kept. */
export async function deleteUnowned(
  registry: ObjectRegistry,
  item: Item,
  { metadata }: KubeObject,
  propagationPolicy: Policy = policyOf(metadata.finalizers ?? []),
): Promise<void> {
  const { name, namespace, uid } = item;
  const { resourceVersion = '', ownerReferences } = metadata;
  const remove = (preconditions: DeleteOptions['preconditions']) =>
    registry.delete(name, { namespace, propagationPolicy, preconditions });
  try {
    await remove({ uid, resourceVersion });
  } catch (error) {
    const now = isCode(error, 409) ? await read(registry, item) : undefined;
    if (!now || !isDeepStrictEqual(now.metadata.ownerReferences, ownerReferences)) throw error;
    // Concurrent changes of other fields do not prevent the deletion.
    await remove({ uid });
  }
}

/** The propagation policy that its finalizers request. */
function policyOf(finalizers: readonly string[]): Policy {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
}

/** From this very object, and not from a new one with its name. */
export const removeFinalizer = (
  registry: ObjectRegistry,
  { name, namespace, uid }: Item,
  finalizer: string,
): Promise<unknown> =>
  registry.update(name, { namespace, uid }, (old) => {
    const { finalizers = [], ...metadata } = old!.metadata;
    const left = finalizers.filter((one) => one !== finalizer);
    return { ...old!, metadata: { ...metadata, ...(left.length > 0 ? { finalizers: left } : {}) } };
  });
