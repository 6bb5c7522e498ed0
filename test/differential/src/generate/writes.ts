/** create, update, and the writes to subresources. */
import { apiVersion, type Kind } from '../kinds/kind.ts';
import type { JsonObject } from '../request.ts';
import { type Draft, draft, type World } from './draft.ts';
import { edited, manifest } from './manifest.ts';

export function create(world: World, kind: Kind): Draft {
  const { random, model } = world;
  const name = model.fresh(random, kind);
  const made = draft(world, 'create', 'POST', kind);
  const body = manifest(world, kind, name);
  made.body = body;
  if (kind.writes === 'real' && random.chance(0.05)) {
    const metadata = body['metadata'] as JsonObject;
    delete metadata['name'];
    // the serial keeps generated names in the same order on both sides
    const prefix = kind.namespaced ? '' : `${model.namespace}-`;
    metadata['generateName'] = `${prefix}gen${1000 + model.serial()}-`;
    return made;
  }
  if (random.chance(0.04)) {
    // only for show: the garbage collector takes real dependents away on its own time
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'alpha', uid: '@{uid:configmaps/alpha}' };
    (body['metadata'] as JsonObject)['ownerReferences'] = [owner];
    made.query['dryRun'] = 'All';
  }
  made.remember = `${kind.resource}/${name}`;
  made.effect = () => model.set(kind, name, body);
  return made;
}

export function update(world: World, kind: Kind): Draft {
  const { random, model } = world;
  const name = model.known(random, kind);
  const made = draft(world, 'update', 'PUT', kind, { name });
  const body = edited(world, kind, name);
  const metadata = body['metadata'] as JsonObject;
  if (kind.settled === 'yes' && random.chance(0.5)) metadata['resourceVersion'] = `@{rv:${kind.resource}/${name}}`;
  if (random.chance(0.2)) metadata['uid'] = `@{uid:${kind.resource}/${name}}`;
  made.body = body;
  const kept = structuredClone(body);
  delete (kept['metadata'] as JsonObject)['resourceVersion'];
  delete (kept['metadata'] as JsonObject)['uid'];
  made.effect = () => model.set(kind, name, kept);
  if (kind.forbid && random.chance(0.25)) {
    kind.forbid(random, body);
    made.intent = 'invalid';
    made.flaw = 'forbidden change';
    delete made.effect;
  }
  return made;
}

export function status(world: World, kind: Kind): Draft {
  const { random, model } = world;
  const name = model.known(random, kind);
  const value = kind.status?.(random) ?? {};
  const on = { name, subresource: 'status' };
  // a controller would fight over it
  const query: Record<string, string> = kind.settled === 'no' ? { dryRun: 'All' } : {};
  if (random.chance(0.4)) return { ...draft(world, 'get', 'GET', kind, on), remember: `${kind.resource}/${name}` };
  if (random.chance(0.5)) {
    const headers = { 'content-type': 'application/merge-patch+json' };
    return { ...draft(world, 'patch', 'PATCH', kind, on), query, headers, body: { status: value } };
  }
  const body = {
    ...(model.body(kind, name) ?? manifest(world, kind, name)),
    apiVersion: apiVersion(kind),
    status: value,
  };
  return { ...draft(world, 'update', 'PUT', kind, on), query, body };
}

export function scale(world: World, kind: Kind): Draft {
  const { random, model } = world;
  const name = model.known(random, kind);
  const on = { name, subresource: 'scale' };
  const remember = `${kind.resource}/${name}/scale`;
  const replicas = random.below(6);
  const way = random.below(3);
  if (way === 0) return { ...draft(world, 'get', 'GET', kind, on), remember };
  if (way === 1) {
    const headers = { 'content-type': 'application/merge-patch+json' };
    return { ...draft(world, 'patch', 'PATCH', kind, on), remember, headers, body: { spec: { replicas } } };
  }
  const metadata = { name, ...(kind.namespaced && { namespace: model.namespace }) };
  const body = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas } };
  return { ...draft(world, 'update', 'PUT', kind, on), remember, body };
}

/** A server-side apply that makes the object if need be. */
export function applied(world: World, kind: Kind, name: string, body: JsonObject, manager: string): Draft {
  const made = draft(world, 'apply', 'PATCH', kind, { name });
  made.headers['content-type'] = 'application/apply-patch+yaml';
  made.query['fieldManager'] = manager;
  made.body = { ...body, apiVersion: apiVersion(kind), kind: kind.kind };
  return made;
}
