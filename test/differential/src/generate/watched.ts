/** A watch, the writes it must show, and the write that ends it. */
import * as core from '../kinds/core.ts';
import { widget } from '../kinds/custom.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Call, JsonObject, Watched } from '../request.ts';
import { type Draft, draft, finish, ownOnly, type World } from './draft.ts';
import { manifest } from './manifest.ts';
import { acceptForWatch } from './media.ts';
import { applied } from './writes.ts';

/** How a watch starts. */
const starts: readonly (readonly [number, (listed: string) => Record<string, string>])[] = [
  [5, (listed) => ({ resourceVersion: listed })],
  [1, () => ({ resourceVersion: '0' })],
  [1, () => ({})],
  [3, () => ({ sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' })],
  [
    1,
    (listed) => ({
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
      resourceVersion: listed,
    }),
  ],
  [
    1,
    () => ({
      sendInitialEvents: 'false',
      resourceVersionMatch: 'NotOlderThan',
      resourceVersion: '0',
      allowWatchBookmarks: 'true',
    }),
  ],
];

export function watchable(kind: Kind): boolean {
  return kind.settled === 'yes' && kind.writes === 'real' && kind.removal !== 'dry';
}

export function watched(world: World, kind: Kind, write: () => Call): Watched {
  const { random, model } = world;
  const end = `end-${1000 + model.serial()}`;
  const remember = `${kind.resource}/watched`;
  const list: Draft = { ...draft(world, 'list', 'GET', kind), list: true, remember };
  const everywhere = kind.namespaced && random.chance(0.2);
  const watch: Draft = { ...draft(world, 'watch', 'GET', kind, { everywhere }), list: true };
  watch.query['watch'] = '1';
  Object.assign(watch.query, random.weighted(starts)(`@{listed:${remember}}`));
  // afterwards, only the events in between are certain: a state might hold the last write or not
  const plain = watch.query['resourceVersion']?.startsWith('@') && watch.query['sendInitialEvents'] === undefined;
  const opened = plain && random.chance(0.4) ? 'after' : 'before';
  // the last write must be seen through every selector used here
  if (random.chance(0.4)) watch.query['labelSelector'] = random.pick(['app=red', 'tier=front', 'app in (red,green)']);
  const upserts: readonly Kind[] = [core.configMap, core.secret, widget];
  const single = upserts.includes(kind) && watch.query['labelSelector'] === undefined && random.chance(0.15);
  const fields = [
    ...(everywhere ? [`metadata.namespace=${model.namespace}`] : []),
    ...(single ? [`metadata.name=${model.names(kind)[0]}`] : []),
  ];
  if (fields.length > 0) watch.query['fieldSelector'] = fields.join(',');
  if (!kind.namespaced) {
    ownOnly(world, list);
    ownOnly(world, watch);
  }
  acceptForWatch(world, watch);
  if (single) delete watch.query['includeObject'];
  const calls = { list: finish(world, list), watch: finish(world, watch) };
  const writes = Array.from({ length: 3 + random.below(8) }, write);
  const closing = finish(world, single ? touch(world, kind, end) : last(world, kind, end));
  return { step: 'watched', opened, ...calls, calls: writes, closing, end };
}

const seen = { app: 'red', tier: 'front' };

function last(world: World, kind: Kind, end: string): Draft {
  const name = kind.namespaced ? end : `${world.model.namespace}-${end}`;
  const body = manifest(world, kind, name);
  const metadata = body['metadata'] as JsonObject;
  delete metadata['finalizers'];
  metadata['labels'] = { ...seen, lane: world.model.namespace };
  const made: Draft = { ...draft(world, 'create', 'POST', kind), body, remember: `${kind.resource}/${name}` };
  made.effect = () => world.model.set(kind, name, body);
  return made;
}

/** Makes or changes the one object that is watched. */
function touch(world: World, kind: Kind, end: string): Draft {
  const name = world.model.names(kind)[0]!;
  const body = {
    metadata: { name, annotations: { 'example.dev/end': end } },
    ...(kind === widget && { spec: { color: 'red' } }),
  };
  const made = applied(world, kind, name, body, 'ender');
  made.query['force'] = 'true';
  return made;
}
