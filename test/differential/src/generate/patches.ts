/** The four patch types. */
import type { Kind } from '../kinds/kind.ts';
import type { Json, JsonObject } from '../request.ts';
import { type Draft, draft, type World } from './draft.ts';
import { edited, labels, labelValues } from './manifest.ts';
import { applied } from './writes.ts';

export function jsonPatch(world: World, kind: Kind): Draft {
  const { random, model } = world;
  const name = model.known(random, kind);
  const made = draft(world, 'patch', 'PATCH', kind, { name });
  made.headers['content-type'] = 'application/json-patch+json';
  const app = random.pick(labelValues.app);
  const operations: JsonObject[] = [
    { op: 'add', path: '/metadata/labels/app', value: app },
    { op: 'replace', path: '/metadata/labels/tier', value: random.pick(labelValues.tier) },
    { op: 'add', path: '/metadata/annotations', value: { 'example.dev/turn': String(random.below(9)) } },
    { op: 'add', path: '/metadata/labels/example.dev~1slashed', value: 'y' },
    { op: 'copy', from: '/metadata/labels/app', path: '/metadata/labels/copied' },
    { op: 'test', path: '/metadata/name', value: name },
    { op: 'remove', path: '/metadata/labels/copied' },
    ...(kind.settled === 'yes'
      ? [{ op: 'test', path: '/metadata/resourceVersion', value: `@{rv:${kind.resource}/${name}}` }]
      : []),
  ];
  made.body = Array.from({ length: 1 + random.below(3) }, () => random.pick(operations));
  return made;
}

/** What the edit changed, as a partial object. */
function partial(world: World, kind: Kind, name: string): JsonObject {
  const { random } = world;
  const { spec, data, rules, subjects } = edited(world, kind, name);
  const fields: Record<string, Json | undefined> = { spec, data, rules, subjects };
  const metadata: JsonObject = {
    labels: random.chance(0.5) ? labels(world) : { app: null, extra: 'e' },
    ...(random.chance(0.3) && { annotations: { 'example.dev/note': random.chance(0.5) ? null : 'n' } }),
    ...(kind.settled === 'yes' && random.chance(0.15) && { resourceVersion: `@{rv:${kind.resource}/${name}}` }),
  };
  const chosen = Object.entries(fields).filter(([, value]) => value !== undefined && random.chance(0.6));
  return { ...(Object.fromEntries(chosen) as JsonObject), metadata };
}

export function mergePatch(world: World, kind: Kind): Draft {
  const { random, model } = world;
  const name = model.known(random, kind);
  const made = draft(world, 'patch', 'PATCH', kind, { name });
  made.headers['content-type'] = 'application/merge-patch+json';
  made.body = partial(world, kind, name);
  const held = JSON.stringify(model.body(kind, name) ?? {}).includes('"finalizers"');
  if (held && random.chance(0.4)) made.body = { metadata: { finalizers: null } };
  return made;
}

/** Custom kinds refuse it with 415. */
export function strategicPatch(world: World, kind: Kind): Draft {
  const { random, model } = world;
  const name = model.known(random, kind);
  const made = draft(world, 'patch', 'PATCH', kind, { name });
  made.headers['content-type'] = 'application/strategic-merge-patch+json';
  const body = partial(world, kind, name);
  if (random.chance(0.1)) body['data'] = { $patch: 'replace', only: 'this' };
  if (random.chance(0.1)) body['metadata'] = { labels: { $patch: 'delete' } };
  if (random.chance(0.1)) body['metadata'] = { '$deleteFromPrimitiveList/finalizers': ['example.dev/hold'] };
  if (kind.resource === 'pods' && random.chance(0.5)) {
    const container = { name: 'main', image: `example.dev/image:s${random.below(5)}` };
    body['spec'] = { containers: [container], '$setElementOrder/containers': [{ name: 'main' }] };
  }
  made.body = body;
  return made;
}

export function apply(world: World, kind: Kind): Draft {
  const { random, model } = world;
  const name = random.chance(0.6) ? model.known(random, kind) : model.fresh(random, kind);
  const body = edited(world, kind, name);
  const made = applied(world, kind, name, body, random.pick(['ann', 'ben', 'cat']));
  if (random.chance(0.5)) made.query['force'] = random.pick(['true', 'true', 'false']);
  made.effect = () => model.set(kind, name, body);
  return made;
}
