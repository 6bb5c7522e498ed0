/** get and list. What depends on the freshness of a cache is asked right after a list that made the cache fresh. */
import type { Kind } from '../kinds/kind.ts';
import { type Draft, draft, ownOnly, type World } from './draft.ts';

export function get(world: World, kind: Kind): Draft {
  return draft(world, 'get', 'GET', kind, { name: world.model.known(world.random, kind) });
}

const selectors = [
  'app=red',
  'app in (red,green)',
  'tier!=back',
  'app',
  '!missing',
  'app=red,tier=front',
  'app notin (blue)',
];

function fieldSelector(world: World, kind: Kind): string {
  const { random, model } = world;
  const name = `metadata.name=${model.known(random, kind)}`;
  const namespaced = kind.namespaced ? [`metadata.namespace=${model.namespace}`] : [];
  return random.pick([name, name.replace('=', '!='), ...namespaced, ...(kind.fields ?? [])]);
}

export function list(world: World, kind: Kind): Draft {
  const { random } = world;
  const everywhere = kind.namespaced && random.chance(0.15);
  const made = draft(world, 'list', 'GET', kind, { everywhere });
  made.list = true;
  made.remember = `${kind.resource}/${everywhere ? 'everywhere' : 'list'}`;
  if (random.chance(0.35)) made.query['labelSelector'] = random.pick(selectors);
  if (random.chance(0.2)) made.query['fieldSelector'] = fieldSelector(world, kind);
  if (everywhere || !kind.namespaced || kind.resource === 'events') ownOnly(world, made);
  else if (random.chance(0.1)) made.query['limit'] = String(1 + random.below(3));
  return made;
}

/** Where others' objects lie between the run's own, whether a page is the last depends on them. */
const isShared = (made: Draft) => made.query['labelSelector']?.includes('lane=') ?? false;

/** The same again, at a version that the first answer gave. */
export function listTwice(world: World, kind: Kind): Draft[] {
  const { random } = world;
  const first = list(world, kind);
  first.headers['accept'] = 'application/json'; // its version must be legible
  delete first.query['limit'];
  const second: Draft = { ...first, query: { ...first.query }, headers: {}, remember: `${first.remember}/second` };
  const listed = `@{listed:${first.remember}}`;
  const versions: Record<string, string>[] = [
    { resourceVersion: '0' },
    { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' },
    { resourceVersion: listed },
    { resourceVersion: listed, resourceVersionMatch: 'NotOlderThan' },
    { resourceVersion: listed, resourceVersionMatch: 'Exact' },
    { resourceVersion: listed, resourceVersionMatch: 'Exact', limit: '2' },
    { resourceVersion: listed, limit: '1' },
  ];
  Object.assign(second.query, random.pick(versions.filter((one) => one['limit'] === undefined || !isShared(first))));
  // a controller may write between the two, on one side only
  return kind.settled === 'yes' ? [first, second] : [first];
}

/** Pages of one list; writes may come between them and must not show. */
export function pages(world: World, kind: Kind, between: () => Draft): Draft[] {
  const { random, model } = world;
  const first = list(world, kind);
  if (isShared(first)) return [first];
  delete first.query['fieldSelector'];
  if (!world.selectedPages) delete first.query['labelSelector'];
  const limit = String(1 + random.below(3));
  const remember = `pages/${model.serial()}`;
  const page = (token: Record<string, string>): Draft => ({
    ...first,
    headers: random.chance(0.7)
      ? { accept: 'application/json' }
      : { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    remember,
    query: { ...first.query, limit, ...token },
  });
  const next = page({ continue: `@{continue:${remember}}` });
  const write = kind.settled === 'yes' ? [between()] : [];
  return [page({}), ...write, next, page({ continue: `@{continue:${remember}}` })];
}
