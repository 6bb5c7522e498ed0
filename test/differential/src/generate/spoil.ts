/** Makes an invalid request of a valid one. */
import { isCustom } from '../kinds/custom.ts';
import type { JsonObject } from '../request.ts';
import { badPatches, plainFlaws, randomFlaws, staleVersion } from './body-flaws.ts';
import { type Draft, isWrite, type World } from './draft.ts';
import { readFlaws, removalFlaws, routeFlaws, tooLarge, writeFlaws } from './request-flaws.ts';

/** Kinds that come to life when a changed object is taken: pods run, Deployments make ReplicaSets. */
const lively = ['pods', 'deployments', 'replicasets', 'jobs', 'poddisruptionbudgets', 'namespaces'];

export function spoil(world: World, draft: Draft): void {
  const { random } = world;
  draft.intent = 'invalid';
  delete draft.effect;
  const one = <T>(of: Readonly<Record<string, T>>): T => {
    draft.flaw = random.pick(Object.keys(of));
    return of[draft.flaw] as T;
  };
  const named = draft.name !== undefined;
  const patched = draft.method === 'PATCH';
  const object = typeof draft.body === 'object' && !Array.isArray(draft.body) ? draft.body : undefined;
  const bodyFlaw = object !== undefined && draft.method !== 'DELETE' && (!patched || draft.verb === 'apply');
  const way = random.weighted<() => void>([
    [3, () => one(routeFlaws)(draft, world)],
    [named && draft.kind ? 2 : 0, () => missing(world, draft)],
    [draft.list && !isWrite(draft) ? 8 : 0, () => one(readFlaws)(draft, world)],
    [draft.method === 'GET' ? 0.1 : 0, () => renamed(draft, 'version too large', () => tooLarge(draft, world))],
    [isWrite(draft) && draft.method !== 'DELETE' ? 2 : 0, () => one(writeFlawsFor(draft))(draft, world)],
    [draft.verb === 'delete' ? 5 : 0, () => one(removalFlaws)(draft, world)],
    [bodyFlaw ? 5 : 0, () => changed(draft, one(randomFlaws)(structuredClone(object) as JsonObject, world, draft))],
    [bodyFlaw ? 5 : 0, () => changed(draft, one(plainFlaws)(structuredClone(object) as JsonObject, world, draft))],
    [
      bodyFlaw && draft.method === 'PUT' ? 3 : 0,
      () => renamed(draft, 'stale version', () => changed(draft, staleVersion(object as JsonObject, world, draft))),
    ],
    [patched && draft.verb === 'patch' ? 6 : 0, () => badPatch(world, draft)],
    [draft.verb === 'apply' ? 0.5 : 0, () => renamed(draft, 'no manager', () => delete draft.query['fieldManager'])],
  ]);
  way();
  if (isWrite(draft) && draft.flaw !== 'bad dry run' && lively.includes(draft.kind?.resource ?? ''))
    draft.query['dryRun'] = 'All';
}

/** kube-apiserver 1.36 drops the connection on a protobuf body for a custom kind: no answer to compare. */
function writeFlawsFor(draft: Draft): typeof writeFlaws {
  const { 'bad protobuf': _, ...others } = writeFlaws;
  return draft.kind && isCustom(draft.kind) ? others : writeFlaws;
}

function renamed(draft: Draft, flaw: string, change: () => void): void {
  draft.flaw = flaw;
  change();
}

function changed(draft: Draft, body: JsonObject | string): void {
  draft.body = body;
  if (typeof body === 'string') draft.headers['content-type'] ??= 'application/json';
}

/** The same for an object that is not there, or cannot be. */
function missing(world: World, draft: Draft): void {
  draft.flaw = 'no such object';
  const name = world.random.pick(['nobody', 'Upper', 'a_b', 'x'.repeat(300), '%20', '@{scope}']);
  draft.path = draft.path.replace(`/${draft.name}`, `/${name}`);
  delete draft.name;
  delete draft.remember;
}

function badPatch(world: World, draft: Draft): void {
  draft.flaw = 'bad patch';
  draft.body = world.random.pick(badPatches);
}
