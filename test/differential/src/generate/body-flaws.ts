/** What can be wrong with an object that is sent. Each flaw is a change of a copy of the object, or a text instead of it. */
import { objectOf } from '../kinds/kind.ts';
import type { Json, JsonObject } from '../request.ts';
import type { Draft, World } from './draft.ts';

type Flaw = (body: JsonObject, world: World, draft: Draft) => JsonObject | string;

interface Leaf {
  holder: JsonObject | Json[];
  key: string | number;
  value: Json;
}

/** Every value inside, containers too. */
function leaves(value: Json, found: Leaf[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, inner] of Object.entries(value)) {
    // without its label the object would be missing in lists; under another name it would not be the run's own, and what
    // is made of another prefix could not be distinguished from its random end
    if (key === 'lane' || key === 'generateName' || (key === 'name' && 'labels' in value)) continue;
    found.push({ holder: value, key, value: inner });
    leaves(inner, found);
  }
  return found;
}

/** Puts another value at one place of the body. */
const somewhere =
  (fits: (value: Json) => boolean, replace: (value: Json, world: World) => Json | undefined): Flaw =>
  (body, world) => {
    const places = leaves(body).filter((leaf) => fits(leaf.value));
    if (places.length === 0) return { ...body, unexpected: true };
    const { holder, key, value } = world.random.pick(places);
    const put = replace(value, world);
    if (put === undefined) delete (holder as JsonObject)[String(key)];
    else (holder as JsonObject)[String(key)] = put;
    return body;
  };

const otherType = (value: Json, world: World): Json =>
  world.random.pick<Json>(
    [7, 'text', true, [], {}, ['x'], { a: 'b' }, 1.5].filter((one) => typeof one !== typeof value) as Json[],
  );

const inMetadata =
  (change: (metadata: JsonObject, world: World, draft: Draft) => void): Flaw =>
  (body, world, draft) => {
    const metadata = { ...objectOf(body['metadata']) };
    change(metadata, world, draft);
    return { ...body, metadata };
  };

const badNames = ['Upper', 'under_score', 'a..b', '-a', 'sl/ash', '%', 'a b', 'x'.repeat(254), '.', '', 'ünicode'];

/** Random changes: on kinds with controllers they are only tried, for a changed workload may start to live. */
export const randomFlaws: Readonly<Record<string, Flaw>> = {
  'wrong type': somewhere(() => true, otherType),
  'wrong type inside': somewhere((value) => typeof value !== 'object', otherType),
  null: somewhere(
    () => true,
    () => null,
  ),
  'field missing': somewhere(
    () => true,
    () => undefined,
  ),
  'bad number': somewhere(
    (value) => typeof value === 'number',
    (_, world) => world.random.pick([-1, 1e20, 1.5, 65536]),
  ),
  'bad text': somewhere(
    (value) => typeof value === 'string',
    (_, world) => world.random.pick(['Bogus!', '', 'x'.repeat(300), ' ', 'a/b/c', '\u0000']),
  ),
  'unknown field': (body) => ({ ...body, unexpected: { a: 1 } }),
  'unknown field inside': somewhere(
    (value) => typeof value === 'object' && !Array.isArray(value),
    (value) => ({ ...objectOf(value), unexpected: 1 }),
  ),
};

export const plainFlaws: Readonly<Record<string, Flaw>> = {
  'wrong kind': (body, world) => ({ ...body, kind: world.random.pick(['Pod', 'ConfigMap', 'Nonsense', '']) }),
  'no kind': ({ kind: _, ...body }) => body,
  'wrong apiVersion': (body, world) => ({ ...body, apiVersion: world.random.pick(['v2', 'apps/v1', 'a/b/c', '']) }),
  'bad name': (body, world, draft) => {
    const name = world.random.pick(badNames);
    // some kinds take nearly any name: in the cluster's scope it must still be the run's own
    const own = draft.kind?.namespaced || name === '' ? name : `@{namespace}-${name}`;
    return { ...body, metadata: { ...objectOf(body['metadata']), name: own } };
  },
  'other name': inMetadata((metadata) => {
    metadata['name'] = '@{namespace}-other';
  }),
  'other namespace': inMetadata((metadata) => {
    metadata['namespace'] = 'default';
  }),
  'bad label': inMetadata((metadata, world) => {
    const bad: JsonObject[] = [{ app: 'two words' }, { 'a/b/c': 'x' }, { app: 5 }, { app: 'x'.repeat(64), 'b!': '' }];
    metadata['labels'] = { ...world.random.pick(bad), lane: '@{namespace}' };
  }),
  'bad annotation': inMetadata((metadata, world, { kind, subresource }) => {
    const isKept = kind !== undefined && subresource === undefined;
    const bad: JsonObject[] = [{ 'a b': 'x' }, { a: 5 }];
    // too much to be kept; of what is only answered the length is no flaw
    metadata['annotations'] = world.random.pick(isKept ? [...bad, { big: 'x'.repeat(300_000) }] : bad);
  }),
  'bad finalizer': inMetadata((metadata) => {
    metadata['finalizers'] = ['unqualified'];
  }),
  'bad owner': inMetadata((metadata) => {
    metadata['ownerReferences'] = [{ apiVersion: 'v1', kind: 'ConfigMap', name: '', uid: '' }];
  }),
  'bad version': inMetadata((metadata, world) => {
    metadata['resourceVersion'] = world.random.pick(['abc', '-1', '1', '0x10']);
  }),
  'other uid': inMetadata((metadata) => {
    metadata['uid'] = '11111111-1111-4111-8111-111111111111';
  }),
  'managed fields': inMetadata((metadata) => {
    metadata['managedFields'] = [{ manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' }];
  }),
  'cut off': (body) => JSON.stringify(body).slice(0, -5),
  'not an object': (_, world) =>
    world.random.pick(['', 'null', '[]', '"text"', '5', '{}', 'true', '{"a":}', '\u0000\u0001']),
  'field twice': (body) => `${JSON.stringify(body).slice(0, -1)},"metadata":${JSON.stringify(body['metadata'] ?? {})}}`,
  deep: (body) => ({ ...body, deep: JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as Json }),
};

/** Only where the object is known to have changed since. */
export const staleVersion: Flaw = (body, _world, draft) => ({
  ...body,
  metadata: { ...objectOf(body['metadata']), resourceVersion: `@{old:${draft.kind?.resource}/${draft.name}}` },
});

export const badPatches: readonly string[] = [
  '[{"op":"replace","path":"/metadata/labels/nosuch/deep","value":1}]',
  '[{"op":"fly","path":"/metadata"}]',
  '[{"op":"add","path":"metadata/labels/x","value":"y"}]',
  '[{"op":"add","path":"/metadata/labels/x"}]',
  '[{"op":"test","path":"/metadata/name","value":"somebody else"}]',
  '[{"op":"remove","path":"/nosuch"}]',
  '[{"op":"replace","path":"/metadata/name","value":"renamed"}]',
  '[{"op":"replace","path":"/metadata/labels","value":"text"}]',
  '[{"op":"add","path":"/spec/unexpected","value":1}]',
  '{"metadata":{"name":"renamed"}}',
  '{"metadata":{"labels":"text"}}',
  '{"metadata":{"labels":{"app":"two words"}}}',
  '{"metadata":{"resourceVersion":"1"}}',
  '{"metadata":{"uid":"11111111-1111-4111-8111-111111111111"}}',
  '{"kind":"Nonsense"}',
  '{"spec":5,"data":5,"rules":5}',
  '{"$patch":"fly"}',
  '{"unexpected":1,"metadata":{"unexpected":2}}',
  '{"metadata":',
  '',
  'null',
  '[]',
  '5',
];
