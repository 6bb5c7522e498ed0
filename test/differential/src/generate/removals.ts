/** delete and deletecollection. */
import type { Kind } from '../kinds/kind.ts';
import type { JsonObject } from '../request.ts';
import { type Draft, draft, ownOnly, type World } from './draft.ts';

export function remove(world: World, kind: Kind): Draft {
  const { random, model } = world;
  const name = model.known(random, kind);
  const made = draft(world, 'delete', 'DELETE', kind, { name });
  const options: JsonObject = {};
  // Foreground and Orphan are finished by the garbage collector on its own time: only for show
  const policy = random.weighted([
    [6, undefined],
    [3, 'Background'],
    [1, 'Foreground'],
    [1, 'Orphan'],
  ]);
  const policyOrDefault = policy ?? (kind.removal === 'background' ? 'Background' : undefined);
  if (policyOrDefault !== undefined) options['propagationPolicy'] = policyOrDefault;
  if (random.chance(0.2)) options['gracePeriodSeconds'] = random.pick([0, 1, 30]);
  if (random.chance(0.3)) {
    const key = `${kind.resource}/${name}`;
    options['preconditions'] = {
      uid: `@{uid:${key}}`,
      ...(kind.settled === 'yes' && random.chance(0.5) && { resourceVersion: `@{rv:${key}}` }),
    };
  }
  if (random.chance(0.5) && !options['preconditions']) {
    for (const [key, value] of Object.entries(options)) made.query[key] = String(value);
  } else if (Object.keys(options).length > 0) {
    made.body = { apiVersion: 'v1', kind: 'DeleteOptions', ...options };
  }
  if (policy === 'Foreground' || policy === 'Orphan' || kind.removal === 'dry') made.query['dryRun'] = 'All';
  const held = JSON.stringify(model.body(kind, name) ?? {}).includes('"finalizers"');
  if (!held) made.effect = () => model.delete(kind, name);
  return made;
}

/** Always among the run's own objects: controllers would make the others again. */
export function removeSome(world: World, kind: Kind): Draft {
  const { random } = world;
  const made = draft(world, 'deletecollection', 'DELETE', kind);
  made.list = true;
  made.query['labelSelector'] = random.pick(['app=red', 'tier=back,app=green', 'app=blue']);
  ownOnly(world, made);
  if (kind.removal === 'background') made.query['propagationPolicy'] = 'Background';
  if (kind.removal === 'dry') made.query['dryRun'] = 'All';
  return made;
}
