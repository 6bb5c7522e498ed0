/** The namespace controller: deletes the content of a terminating namespace, and then releases the namespace. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Pace } from '@fleet/client/pace.ts';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import { notFound, StatusError } from '@fleet/kube/status.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { outlineInSlices } from '../registry/outline.ts';
import type { ObjectRegistry } from '../registry/registry.ts';
import { decodeObject } from '../registry/stored-object.ts';
import type { Entry } from '../store/object-store.ts';
import type { Form } from '../watch-cache/shared-event.ts';
import { type Condition, conditionsOf, type Remaining } from './conditions.ts';

export interface EmptyingOptions {
  namespaces: ObjectRegistry;
  /** The registries of all namespaced kinds at the moment. */
  contents(): readonly ObjectRegistry[];
  signal: AbortSignal;
  onError(error: unknown): void;
  /** The first backoff for objects with finalizers; the last one is eight times as long, as in Kubernetes. */
  retryMillis?: number;
}

/** A terminating namespace, identified by uid, as another may get its name. */
interface Going {
  name: string;
  uid: string;
}

/** Other fields of an event are not needed. */
const nameAndUid: Form = {
  name: 'namespace name and uid',
  event: (_, object) => {
    const { name, uid } = (JSON.parse(Buffer.from(object).toString()) as KubeObject).metadata;
    return Buffer.from(JSON.stringify({ name, uid }));
  },
  bookmark: () => Buffer.alloc(0),
};

/** Runs until the signal aborts. */
export async function emptyNamespaces(options: EmptyingOptions): Promise<void> {
  const { namespaces, signal, onError, retryMillis = 1_000 } = options;
  const fields = [{ field: 'status.phase', value: 'Terminating', equal: true }];
  const work = (going: Going) => isDone(going, options);
  const queue = new WorkQueue<Going>({ work, onError, retryMillis, workers, pace: new Pace() });
  while (!signal.aborted) {
    try {
      for await (const event of namespaces.watch({ fields, allowWatchBookmarks: false, signal })) {
        if (event.type === 'DELETED') continue;
        const going = JSON.parse(Buffer.from(event.in(nameAndUid)).toString()) as Going;
        queue.add(going.uid, going);
      }
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    await sleep(retryMillis, undefined, { signal, ref: false }).catch(() => undefined);
  }
  await queue[Symbol.asyncDispose]();
}

/** Several, so that one namespace with much content does not block all others. */
const workers = 4;

const isPods = ({ kind: { group, resource } }: ObjectRegistry): boolean => group === '' && resource === 'pods';

async function isDone(going: Going, options: EmptyingOptions): Promise<boolean> {
  try {
    await refuseOther(going, options);
    return await isReleased(going, options);
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return true;
    // Another namespace has its name now: the next sync detects that.
    if (error instanceof StatusError && error.code === 409) return false;
    throw error;
  }
}

/** Reads the store: nothing may be deleted from a namespace that is not terminating, or from a new one of that name. */
async function refuseOther({ name, uid }: Going, { namespaces }: EmptyingOptions): Promise<void> {
  const { metadata } = decodeObject(await namespaces.get(name));
  if (metadata.uid !== uid || !metadata.deletionTimestamp) throw notFound(namespaces.kind, name);
}

/** Throws not found if the namespace is gone. */
async function isReleased(going: Going, options: EmptyingOptions): Promise<boolean> {
  const { name, uid } = going;
  const { namespaces } = options;
  const all = options.contents();
  // Pods first, as they may need other objects to terminate gracefully.
  const pods = await emptied(going, options, all.filter(isPods));
  const rest = pods.length > 0 ? [] : all.filter((one) => !isPods(one));
  const remaining = [...pods, ...(await emptied(going, options, rest))];
  await namespaces.update(name, { uid, subresource: 'status' }, (old) => withConditions(old!, remaining));
  if (remaining.length > 0) return false;
  await namespaces.update(name, { uid, subresource: 'finalize' }, (old) => released(old!));
  return true;
}

/** The objects that still exist after everything was deleted. */
async function emptied(
  going: Going,
  options: EmptyingOptions,
  registries: readonly ObjectRegistry[],
): Promise<Remaining[]> {
  const namespace = going.name;
  const remaining: Remaining[] = [];
  const pace = new Pace();
  for (const registry of registries) {
    if (pace.isDue) await pace.rest();
    // The check afterwards ensures that the listed objects belong to this namespace, not to a new one of its name.
    await registry.deleteCollection({ namespace }, {}, () => refuseOther(going, options));
    const { entries } = await registry.list({ namespace });
    if (entries.length > 0) remaining.push({ kind: registry.kind, objects: await outlines(entries, pace) });
  }
  return remaining;
}

async function outlines(entries: readonly Entry[], pace: Pace): Promise<KubeObject[]> {
  const objects: KubeObject[] = [];
  for (const { value } of entries) {
    if (pace.isDue) await pace.rest();
    objects.push((await outlineInSlices(value)).object);
  }
  return objects;
}

function withConditions(namespace: KubeObject, remaining: readonly Remaining[]): KubeObject {
  const status = namespace['status'] as { conditions?: Condition[] } | undefined;
  const now = timeText(Date.now());
  return { ...namespace, status: { ...status, conditions: conditionsOf(status?.conditions ?? [], remaining, now) } };
}

/** Removes our own finalizer; others may remain. */
function released(namespace: KubeObject): KubeObject {
  const { finalizers = [], ...spec } = (namespace['spec'] ?? {}) as { finalizers?: string[] };
  const others = finalizers.filter((finalizer) => finalizer !== 'kubernetes');
  return { ...namespace, spec: { ...spec, ...(others.length > 0 ? { finalizers: others } : {}) } };
}
