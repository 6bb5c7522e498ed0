/** A namespace that is going takes its contents with it: they are deleted, and when nothing is left it may go itself. */

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
  /** Of all kinds that live in namespaces now. */
  contents(): readonly ObjectRegistry[];
  signal: AbortSignal;
  onError(error: unknown): void;
  /** How long to wait for what finalizers still hold: at first, and eight times as long in the end, as Kubernetes waits. */
  retryMillis?: number;
}

/** One that is going, and no other that will have its name. */
interface Going {
  name: string;
  uid: string;
}

/** Nothing else of an event matters here. */
const nameAndUid: Form = {
  name: 'namespace name and uid',
  event: (_, object) => {
    const { name, uid } = (JSON.parse(Buffer.from(object).toString()) as KubeObject).metadata;
    return Buffer.from(JSON.stringify({ name, uid }));
  },
  bookmark: () => Buffer.alloc(0),
};

/** Goes on until the signal ends it. */
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

/** What holds one holds none of the others, and one with much in it not all of them. */
const workers = 4;

const isPods = ({ kind: { group, resource } }: ObjectRegistry): boolean => group === '' && resource === 'pods';

async function isDone(going: Going, options: EmptyingOptions): Promise<boolean> {
  try {
    await refuseOther(going, options);
    return await isReleased(going, options);
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return true;
    // Another has its name: that is seen when it is looked at again.
    if (error instanceof StatusError && error.code === 409) return false;
    throw error;
  }
}

/** As the store has it now: one that is gone, or is not going, has nothing taken from it, nor has another of its name. */
async function refuseOther({ name, uid }: Going, { namespaces }: EmptyingOptions): Promise<void> {
  const { metadata } = decodeObject(await namespaces.get(name));
  if (metadata.uid !== uid || !metadata.deletionTimestamp) throw notFound(namespaces.kind, name);
}

/** Throws not found if the namespace is gone. */
async function isReleased(going: Going, options: EmptyingOptions): Promise<boolean> {
  const { name, uid } = going;
  const { namespaces } = options;
  const all = options.contents();
  // Pods may need the others to end well.
  const pods = await emptied(going, options, all.filter(isPods));
  const rest = pods.length > 0 ? [] : all.filter((one) => !isPods(one));
  const remaining = [...pods, ...(await emptied(going, options, rest))];
  await namespaces.update(name, { uid, subresource: 'status' }, (old) => withConditions(old!, remaining));
  if (remaining.length > 0) return false;
  await namespaces.update(name, { uid, subresource: 'finalize' }, (old) => released(old!));
  return true;
}

/** What is still there after all was deleted. */
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
    // What was listed while this namespace was still there belongs to it, and not to the next of its name.
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

/** Others may hold it longer. */
function released(namespace: KubeObject): KubeObject {
  const { finalizers = [], ...spec } = (namespace['spec'] ?? {}) as { finalizers?: string[] };
  const others = finalizers.filter((finalizer) => finalizer !== 'kubernetes');
  return { ...namespace, spec: { ...spec, ...(others.length > 0 ? { finalizers: others } : {}) } };
}
