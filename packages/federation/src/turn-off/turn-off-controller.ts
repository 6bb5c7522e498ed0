/**
 * Removes what the pipeline has created, while no other step of it runs (FED-38): claims of templates, finalizers of policies, then Works
 * and with them the members' objects, bindings, and execution spaces. This repeats until nothing is left: it waits for unreachable
 * members.
 */

import type { Informer } from '@fleet/client/informer.ts';
import { isStatus, type KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import type { Binding } from '../api/bindings.ts';
import type { AnyObject } from '../api/objects.ts';
import { clustersPath, namespacesPath, objectPath, worksPath } from '../api/paths.ts';
import type { PropagationPolicy } from '../api/policies.ts';
import type { Work } from '../api/works.ts';
import { policyKinds } from '../claim/policy-controller.ts';
import { bindingsOf, clustersOf, collectionOf, type Pipeline, worksOf } from '../pipeline.ts';
import { executionSpaceOf } from '../work/work-name.ts';
import { heldKinds, isHeld } from './left.ts';
import { releaseTemplates, type Unreleased } from './release-templates.ts';

export interface TurnOffOptions {
  /** Objects of members are deleted, except Namespaces and preserved objects. Otherwise they are kept, without marks. */
  deleteWorkloads: boolean;
  /** Called in each round with the kinds whose templates may have claims left. */
  onUnreleased(kinds: readonly Unreleased[]): Promise<void>;
  /** Called when nothing is left but what is refused. */
  onDone(): Promise<void>;
}

const longestPause = 30_000;
const longer = (pause: number): number => Math.min(2 * pause, longestPause);
/** Requests in flight. */
const atOnce = 8;

export function turnOff(pipeline: Pipeline, options: TurnOffOptions, firstPause = 1_000): AsyncDisposable {
  const ending = new AbortController();
  const running = untilDone(pipeline, options, firstPause, ending.signal);
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await running;
    },
  };
}

async function untilDone(
  pipeline: Pipeline,
  options: TurnOffOptions,
  firstPause: number,
  signal: AbortSignal,
): Promise<void> {
  const released = new Set<string>();
  let pause = firstPause;
  while (!signal.aborted) {
    try {
      const unreleased = await releaseTemplates(pipeline, released);
      await options.onUnreleased(unreleased);
      const isTaken = await isTakenBack(pipeline, options);
      if (isTaken && unreleased.every(({ isRefused }) => isRefused)) {
        await options.onDone();
        return;
      }
      pause = isTaken ? longer(pause) : firstPause;
    } catch (error) {
      pipeline.log.warn({ err: error }, 'federation could not be turned off yet; this is tried again');
      pause = longer(pause);
    }
    await rested(pause, signal);
  }
}

function rested(pause: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, pause);
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}

/** One round over all objects. */
async function isTakenBack(pipeline: Pipeline, { deleteWorkloads }: TurnOffOptions): Promise<boolean> {
  const { client, informers } = pipeline;
  const policies = policyKinds.flatMap(({ path }) => held(informers.of<PropagationPolicy>(path), path));
  await each(policies, ({ path, object }) => withoutFinalizers(client, path, object));

  const works = [...worksOf(pipeline).values()];
  await each(works, (work) => removeWork(client, work, deleteWorkloads));

  const bindings = bindingsOf(pipeline).flatMap((informer) => [...informer.values()]);
  await each(bindings, (binding) => removeBinding(client, binding));

  const inUse = new Set(works.map(({ metadata }) => metadata.namespace));
  const clusters = held(clustersOf(pipeline), clustersPath);
  const unused = clusters.filter(({ object }) => !inUse.has(executionSpaceOf(object.metadata.name)));
  await each(unused, async ({ path, object }) => {
    await ignoringGone(client.delete(`${namespacesPath}/${executionSpaceOf(object.metadata.name)}`));
    await withoutFinalizers(client, path, object);
  });
  const ours = [...policies, ...clusters].map(({ object }) => object);
  // Objects with finalizers of others are left to those others.
  const others = [
    ...works.filter((work) => isHeld(work, finalizersOf.get(worksPath)!)),
    ...bindings.filter((binding) => isHeld(binding, finalizersOf.get(collectionOf(binding))!)),
  ];
  return ours.length + others.length === 0;
}

interface Held {
  path: string;
  object: KubeObject;
}

const finalizersOf = new Map(heldKinds.map(({ path, finalizers }) => [path, finalizers]));

/** Of the copy. */
const held = (informer: Pick<Informer<KubeObject>, 'values'>, path: string): Held[] =>
  [...informer.values()]
    .filter((object) => isHeld(object, finalizersOf.get(path)!))
    .map((object) => ({ path, object }));

/** Those of others stay. */
async function withoutFinalizers(client: KubeClient, path: string, object: KubeObject): Promise<void> {
  const own = finalizersOf.get(path)!;
  const { finalizers = [], resourceVersion } = object.metadata;
  const left = finalizers.filter((one) => !own.includes(one));
  if (left.length === finalizers.length) return;
  const patch = { metadata: { resourceVersion, finalizers: left } };
  await ignoringGone(client.patch(objectPath(path, object), 'merge', patch));
}

/** The finalizer of the Work is removed once the member's object is deleted, or has no marks left. */
async function removeWork(client: KubeClient, work: Work, deleteWorkloads: boolean): Promise<void> {
  const path = objectPath(worksPath, work);
  const stays = !deleteWorkloads || isNamespace(work.spec.workload?.manifests?.[0]);
  if (stays && !work.spec.preserveResourcesOnDeletion) {
    const { resourceVersion } = work.metadata;
    const patch = { metadata: { resourceVersion }, spec: { preserveResourcesOnDeletion: true } };
    await ignoringGone(client.patch(path, 'merge', patch));
    // The copy has to have it before the Work is deleted.
    return;
  }
  if (work.metadata.deletionTimestamp === undefined) await remove(client, path, work);
}

/** Deleting a Namespace would delete everything in it, also objects that are not of federation. */
const isNamespace = (manifest: AnyObject | undefined): boolean =>
  manifest?.kind === 'Namespace' && manifest.apiVersion === 'v1';

async function removeBinding(client: KubeClient, binding: Binding): Promise<void> {
  const collection = collectionOf(binding);
  await withoutFinalizers(client, collection, binding);
  if (binding.metadata.deletionTimestamp === undefined) await remove(client, objectPath(collection, binding), binding);
}

const remove = (client: KubeClient, path: string, { metadata }: KubeObject): Promise<void> =>
  ignoringGone(client.delete(path, { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: metadata.uid } }));

/** On a conflict the watch delivers the newer version, and the next round writes again. */
async function ignoringGone(written: Promise<unknown>): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (!isStatus(error, 404) && !isStatus(error, 409)) throw error;
  }
}

async function each<One>(all: readonly One[], work: (one: One) => Promise<void>): Promise<void> {
  const waiting = [...all].reverse();
  const worker = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, worker));
}
