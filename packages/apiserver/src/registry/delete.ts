/** Deletes an object: at once, or when its finalizers are removed. */

import { notFound } from '@fleet/kube/status.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import { conflict } from '../errors/refusals.ts';
import type { Entry, Outcome } from '../store/object-store.ts';
import type { KubeObject, ObjectMeta } from './kube-object.ts';
import { foregroundFinalizer, orphanFinalizer } from './metadata-rules.ts';
import { readInSlices } from './read-in-slices.ts';
import { asStatusErrors, keyOf, type ResourceContext, refuseLarger, type WriteOptions } from './resource-context.ts';
import type { ResourceKind } from './resource-kind.ts';
import { encodeObject } from './stored-object.ts';

export interface DeleteOptions extends WriteOptions {
  preconditions?: { uid?: string; resourceVersion?: string } | undefined;
  propagationPolicy?: 'Foreground' | 'Background' | 'Orphan' | undefined;
  /** The predecessor of the propagation policy. */
  orphanDependents?: boolean | undefined;
  gracePeriodSeconds?: number | undefined;
}

export interface Deleted {
  /** The last state, or the current one if it is not deleted yet. */
  object: KubeObject;
  /** The object is removed. */
  gone: boolean;
}

export async function deleteObject(context: ResourceContext, name: string, options: DeleteOptions): Promise<Deleted> {
  const { kind, store } = context;
  const key = keyOf(context, options, name);
  await context.admitDeletion?.(name);
  let { entry } = await asStatusErrors(store.get(key));
  for (;;) {
    if (!entry) throw notFound(kind, name);
    refuseLarger(entry, options);
    const object = await readInSlices(entry.value);
    object.metadata.resourceVersion = String(entry.revision);
    refuseOther(kind, object, options);
    const ending = endingOf(context, object, options);
    const gone = ending === 'now' || ending === 'marked';
    if (ending === 'pending') return { object, gone };
    context.admitDeletionOf?.(object);
    if (options.dryRun) return { object, gone };
    const outcome = await asStatusErrors(write(context, entry, object, ending));
    if (outcome.done) {
      object.metadata.resourceVersion = String(outcome.revision);
      if (gone) await context.afterDelete?.(object);
      return { object, gone };
    }
    entry = outcome.current;
  }
}

/**
 * `marked` is written once more before it is removed, so that watches see it being deleted. `later`: something has to happen
 * first. `pending`: it is being deleted already, and nothing changes.
 */
type Ending = 'now' | 'marked' | 'later' | 'pending';

async function write(
  { store }: ResourceContext,
  entry: Entry,
  object: KubeObject,
  ending: Exclude<Ending, 'pending'>,
): Promise<Outcome> {
  const at = { key: entry.key, ifRevision: entry.revision };
  if (ending === 'now') return store.write({ op: 'delete', ...at });
  if (ending === 'marked') {
    const marked = await store.write({ op: 'update', value: encodeObject(object), ...at });
    return marked.done ? store.write({ op: 'delete', key: entry.key, ifRevision: marked.revision }) : marked;
  }
  const value = encodeObject(object);
  // The object is being deleted already, and nothing changes.
  if (Buffer.compare(value, entry.value) === 0) return Promise.resolve({ done: true, revision: entry.revision });
  return store.write({ op: 'update', value, ...at });
}

/** Marks an object that must wait as being deleted. */
function endingOf(context: ResourceContext, object: KubeObject, options: DeleteOptions): Ending {
  const { kind, now } = context;
  const { metadata } = object;
  const seconds = kind.strategy.gracePeriod && graceOf(context, object, options);
  if (seconds === 'pending') return 'pending';
  const finalizers = kind.ownsNothing ? (metadata.finalizers ?? []) : finalizersFor(metadata, kind, options);
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  if (seconds !== undefined) return finalizers.length > 0 || seconds > 0 ? 'later' : 'marked';
  if (finalizers.length === 0 && !kind.strategy.isHeld?.(object)) return 'now';
  if (!metadata.deletionTimestamp) {
    metadata.deletionTimestamp = timeText(now());
    if (metadata.generation) metadata.generation += 1;
  }
  if (finalizers.length > 0 && !kind.hasOwnDeletion) metadata.deletionGracePeriodSeconds = 0;
  kind.strategy.prepareForDelete?.(object);
  return 'later';
}

/** The remaining grace period in seconds; undefined if there is none. It can only become shorter. */
function graceOf(
  { kind, now }: ResourceContext,
  object: KubeObject,
  { gracePeriodSeconds: given }: DeleteOptions,
): number | 'pending' | undefined {
  const { metadata } = object;
  const requested = given !== undefined && given < 0 ? 1 : given;
  if (metadata.deletionTimestamp === undefined) {
    const seconds = kind.strategy.gracePeriod!(object, requested);
    metadata.deletionTimestamp = timeText(now() + goMillis(seconds));
    metadata.deletionGracePeriodSeconds = seconds;
    if (metadata.generation) metadata.generation += 1;
    return seconds;
  }
  const standing = metadata.deletionGracePeriodSeconds ?? 0;
  if (standing === 0) return undefined;
  if (requested === undefined || requested >= standing) return 'pending';
  // The stored value may be a bigint, as numbers beyond 2^53 are: milliseconds are subtracted instead.
  const begun = Date.parse(metadata.deletionTimestamp) - goMillis(standing);
  metadata.deletionTimestamp = timeText(begun + goMillis(requested));
  metadata.deletionGracePeriodSeconds = requested;
  return requested;
}

/** As in Go's `time.Duration`: nanoseconds in 64 bits, which overflow. Any number of seconds gives a valid time. */
const goMillis = (seconds: number): number => Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n) / 1_000_000n);

/** The propagation policy is stored as finalizers, for the garbage collector. */
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
      return kind.orphansDependents !== undefined && others.length === own.length ? [...own, orphanFinalizer] : own;
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
