/** Whole objects. */
import { apiVersion, type Kind } from '../kinds/kind.ts';
import type { JsonObject } from '../request.ts';
import type { World } from './draft.ts';

export const labelValues = { app: ['red', 'green', 'blue'], tier: ['front', 'back'] };

export function labels(world: World): JsonObject {
  const { random } = world;
  return {
    app: random.pick(labelValues.app),
    tier: random.pick(labelValues.tier),
    lane: world.model.namespace,
  };
}

export function manifest(world: World, kind: Kind, name: string): JsonObject {
  const { random } = world;
  // a finalizer makes deletion a state; but a controller would mark a held pod as failed on its own time
  const held = kind.settled === 'yes' && kind.removal === 'real' && kind.resource !== 'pods' && random.chance(0.05);
  return {
    apiVersion: apiVersion(kind),
    kind: kind.kind,
    metadata: {
      name,
      ...(kind.namespaced && random.chance(0.5) && { namespace: world.model.namespace }),
      labels: labels(world),
      ...(random.chance(0.3) && { annotations: { 'example.dev/note': random.pick(['x', '<y>', 'two words']) } }),
      ...(held && { finalizers: ['example.dev/hold'] }),
    },
    ...kind.build(random, name),
  };
}

/** The last known object with a change that its kind allows. */
export function edited(world: World, kind: Kind, name: string): JsonObject {
  const { random } = world;
  // it may have been made in another version
  const known = world.model.body(kind, name);
  const body = known ? { ...structuredClone(known), apiVersion: apiVersion(kind) } : manifest(world, kind, name);
  if (random.chance(0.8)) kind.edit(random, body);
  if (random.chance(0.4)) (body['metadata'] as JsonObject)['labels'] = labels(world);
  return body;
}
