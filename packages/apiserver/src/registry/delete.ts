/** Deleting an object: at once, or once its finalizers are gone. */

import { notFound } from '@fleet/kube/status.ts';
import { conflict } from '../errors/refusals.ts';
import type { Entry, Outcome } from '../store/object-store.ts';
import type { KubeObject, ObjectMeta } from './kube-object.ts';
import { foregroundFinalizer, orphanFinalizer } from './metadata-rules.ts';
import { readInSlices } from './read-in-slices.ts';
import {
  inWordsForClients,
  keyOf,
  type ResourceContext,
  refuseLarger,
  timestamp,
  type WriteOptions,
} from './resource-context.ts';
import type { ResourceKind } from './resource-kind.ts';
import { encodeObject } from './stored-object.ts';

export interface DeleteOptions extends WriteOptions {
  preconditions?: { uid?: string; resourceVersion?: string } | undefined;
  propagationPolicy?: 'Foreground' | 'Background' | 'Orphan' | undefined;
  /** The older form of the policy. */
  orphanDependents?: boolean | undefined;
}

export interface Deleted {
  /** As it was last, or as it is now if it stays for a while. */
  object: KubeObject;
  /** It is not there any more. */
  gone: boolean;
}

export async function deleteObject(context: ResourceContext, name: string, options: DeleteOptions): Promise<Deleted> {
  const { kind, store } = context;
  const key = keyOf(context, options, name);
  await context.admitDeletion?.(name);
  let { entry } = await inWordsForClients(store.get(key));
  for (;;) {
    if (!entry) throw notFound(kind, name);
    refuseLarger(entry, options);
    const object = await readInSlices(entry.value);
    object.metadata.resourceVersion = String(entry.revision);
    refuseOther(kind, object, options);
    const gone = !stays(context, object, options);
    if (options.dryRun) return { object, gone };
    const outcome = await inWordsForClients(write(context, entry, object, gone));
    if (outcome.done) {
      object.metadata.resourceVersion = String(outcome.revision);
      return { object, gone };
    }
    entry = outcome.current;
  }
}

function write({ store }: ResourceContext, entry: Entry, object: KubeObject, gone: boolean): Promise<Outcome> {
  const at = { key: entry.key, ifRevision: entry.revision };
  if (gone) return store.write({ op: 'delete', ...at });
  const value = encodeObject(object);
  // A deletion that is under way already changes nothing.
  if (Buffer.compare(value, entry.value) === 0) return Promise.resolve({ done: true, revision: entry.revision });
  return store.write({ op: 'update', value, ...at });
}

/** Marks an object that must wait for somebody as being deleted; false if it can go now. */
function stays({ kind, now }: ResourceContext, object: KubeObject, options: DeleteOptions): boolean {
  const { metadata } = object;
  const finalizers = kind.ownsNothing ? (metadata.finalizers ?? []) : finalizersFor(metadata, kind, options);
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  if (finalizers.length === 0 && !kind.strategy.isHeld?.(object)) return false;
  if (!metadata.deletionTimestamp) {
    metadata.deletionTimestamp = timestamp(now());
    if (metadata.generation) metadata.generation += 1;
  }
  if (finalizers.length > 0 && !kind.hasOwnDeletion) metadata.deletionGracePeriodSeconds = 0;
  kind.strategy.prepareForDelete?.(object);
  return true;
}

/** What is to become of dependents stands in finalizers, for the garbage collector. */
function finalizersFor(
  metadata: ObjectMeta,
  kind: ResourceKind,
  { propagationPolicy, orphanDependents }: DeleteOptions,
): string[] {
  const own = metadata.finalizers ?? [];
  const others = own.filter((finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer);
  if (orphanDependents !== undefined) return orphanDependents ? [...others, orphanFinalizer] : others;
  switch (propagationPolicy) {
    case 'Orphan':
      return [...others, orphanFinalizer];
    case 'Foreground':
      return [...others, foregroundFinalizer];
    case 'Background':
      return others;
    default:
      return kind.orphansDependents && others.length === own.length ? [...own, orphanFinalizer] : own;
  }
}

function refuseOther(kind: ResourceKind, { metadata }: KubeObject, { preconditions }: DeleteOptions): void {
  const { uid, resourceVersion } = preconditions ?? {};
  const wrong = (what: string, given: string, there: string | undefined) =>
    conflict(
      kind,
      metadata.name!,
      `Precondition failed: ${what} in precondition: ${given}, ${what} in object meta: ${there}`,
    );
  if (kind.hasOwnDeletion && uid !== undefined && uid !== metadata.uid) throw wrong('UID', uid, metadata.uid);
  if (kind.hasOwnDeletion && resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion)
    throw wrong('ResourceVersion', resourceVersion, metadata.resourceVersion);
  // kube-apiserver names the kind here, not the resource.
  const what = { group: kind.group, resource: kind.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(what, metadata.name!, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(what, metadata.name!, why);
  }
}
