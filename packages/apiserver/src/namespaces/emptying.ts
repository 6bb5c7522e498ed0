/** A namespace that is going takes its contents with it: they are deleted, and when nothing is left it may go itself. */

import { setTimeout as sleep } from 'node:timers/promises';
import { StatusError } from '@fleet/kube/status.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { outlineInSlices } from '../registry/outline.ts';
import type { Registry } from '../registry/registry.ts';
import type { Entry } from '../store/object-store.ts';
import type { Form } from '../watch-cache/shared-event.ts';
import { Pace } from '../work/pace.ts';
import { WorkQueue } from '../work/work-queue.ts';
import { type Condition, conditionsOf, type Remaining } from './conditions.ts';

export interface EmptyingOptions {
  namespaces: Registry;
  /** Of all kinds that live in namespaces now. */
  contents(): readonly Registry[];
  signal: AbortSignal;
  onError(error: unknown): void;
  /** How long to wait for what finalizers still hold: at first, and eight times as long in the end, as Kubernetes waits. */
  retryMillis?: number;
}

/** Just the name: nothing else of an event matters here. */
const nameOnly: Form = {
  name: 'namespace name',
  event: (_, object) => Buffer.from((JSON.parse(Buffer.from(object).toString()) as KubeObject).metadata.name!),
  bookmark: () => Buffer.alloc(0),
};

/** Goes on until the signal ends it. */
export async function emptyNamespaces(options: EmptyingOptions): Promise<void> {
  const { namespaces, signal, onError, retryMillis = 1_000 } = options;
  const fields = [{ field: 'status.phase', value: 'Terminating', equal: true }];
  const queue = new WorkQueue<string>({ work: (name) => isDone(name, options), onError, retryMillis, lanes });
  while (!signal.aborted) {
    try {
      for await (const event of namespaces.watch({ fields, allowWatchBookmarks: false, signal })) {
        const name = Buffer.from(event.in(nameOnly)).toString();
        if (event.type !== 'DELETED') queue.add(name, name);
      }
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    await sleep(retryMillis, undefined, { signal, ref: false }).catch(() => undefined);
  }
  await queue.close();
}

/** What holds one holds none of the others, and one with much in it not all of them. */
const lanes = 4;

const isPods = ({ kind: { group, resource } }: Registry): boolean => group === '' && resource === 'pods';

async function isDone(namespace: string, options: EmptyingOptions): Promise<boolean> {
  try {
    return await isReleased(namespace, options);
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return true;
    throw error;
  }
}

/** Throws not found if the namespace is gone. */
async function isReleased(namespace: string, { namespaces, contents }: EmptyingOptions): Promise<boolean> {
  const all = contents();
  // Pods may need the others to end well.
  const pods = await emptied(namespace, all.filter(isPods));
  const others =
    pods.length > 0
      ? []
      : await emptied(
          namespace,
          all.filter((one) => !isPods(one)),
        );
  const remaining = [...pods, ...others];
  await namespaces.update(namespace, { subresource: 'status' }, (old) => withConditions(old!, remaining));
  if (remaining.length > 0) return false;
  await namespaces.update(namespace, { subresource: 'finalize' }, (old) => released(old!));
  return true;
}

/** What is still there after all was deleted. */
async function emptied(namespace: string, registries: readonly Registry[]): Promise<Remaining[]> {
  const remaining: Remaining[] = [];
  const pace = new Pace();
  for (const registry of registries) {
    if (pace.isDue) await pace.rest();
    await registry.deleteCollection({ namespace }, {});
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
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  return { ...namespace, status: { ...status, conditions: conditionsOf(status?.conditions ?? [], remaining, now) } };
}

/** Others may hold it longer. */
function released(namespace: KubeObject): KubeObject {
  const { finalizers = [], ...spec } = (namespace['spec'] ?? {}) as { finalizers?: string[] };
  const others = finalizers.filter((finalizer) => finalizer !== 'kubernetes');
  return { ...namespace, spec: { ...spec, ...(others.length > 0 ? { finalizers: others } : {}) } };
}
