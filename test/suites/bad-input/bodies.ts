/** Bodies in every format, and how they are spoilt. */

import { gzipSync } from 'node:zlib';
import type { Random } from '@fleet/differential/random.ts';
import type { Kind } from './kinds.ts';
import { protobufOf } from './protobuf.ts';
import { nameOf, namespace, objectNames, plainVersionOf } from './words.ts';

export interface FuzzBody {
  contentType: string | undefined;
  bytes: Buffer;
}

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: Record<string, unknown>;
  [key: string]: unknown;
}

const json = 'application/json';
const protobuf = 'application/vnd.kubernetes.protobuf';
const patches = [
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const oddTypes = [
  undefined,
  '',
  'text/plain',
  'application/cbor',
  'nonsense',
  ';',
  'application/json; charset=x',
  'APPLICATION/JSON',
  '*/*',
];

function manifestOf(random: Random, kind: Kind): Manifest {
  const metadata: Record<string, unknown> = {
    name: nameOf(random, objectNames),
    labels: { app: 'web', clusterspace: 'member1' },
  };
  const add: readonly (readonly [string, () => unknown])[] = [
    ['namespace', () => random.pick([namespace, `${namespace}.clusterspace.member1`, 'default', 5])],
    ['resourceVersion', () => plainVersionOf(random)],
    ['generateName', () => random.pick(['x-.clusterspace.member1', 'x.clusterspace.member2-', '', 'x-'])],
    ['labels', () => random.pick<unknown>([null, [], 'text', { app: 5 }, { clusterspace: 'member2' }])],
    ['annotations', () => random.pick<unknown>([{ a: 'x.clusterspace.member1' }, { 'a b': 'x' }, { a: 5 }, null])],
    ['ownerReferences', () => [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o.clusterspace.member1', uid: 'u' }]],
    ['name', () => random.pick<unknown>(['', null, 5, {}, ['x'], '\u0000', '\ud800', 'x.clusterspace.member1-y'])],
  ];
  for (const [key, value] of add) if (random.chance(0.15)) metadata[key] = value();
  const body: Manifest = { apiVersion: kind.root.replace(/^\/apis?\//, ''), kind: kind.kind, metadata };
  if (kind.spec) body['spec'] = kind.spec;
  else body['data'] = { key: 'x.clusterspace.member1' };
  return body;
}

const pointers = [
  '/metadata/labels/x',
  '/metadata/name',
  '/metadata/resourceVersion',
  '/data/a~1b',
  '/data',
  '',
  'data',
  '/',
  '/a/b/c',
  '~',
  '/spec/x/-',
];

const jsonPatch = (random: Random): unknown =>
  Array.from({ length: random.below(4) }, () =>
    random.pick<unknown>([
      { op: 'add', path: random.pick(pointers), value: nameOf(random, objectNames) },
      {
        op: 'replace',
        path: random.pick(pointers),
        value: random.pick<unknown>([null, 5, { a: ['x.clusterspace.member1'] }, plainVersionOf(random)]),
      },
      { op: random.pick(['remove', 'test', 'fly', '']), path: random.pick(pointers) },
      { op: 'move', from: random.pick(pointers), path: random.pick(pointers) },
      random.pick<unknown>([null, 5, [], {}, { op: 5, path: 5 }]),
    ]),
  );

const yamlOdds = [
  'a: &a [*a]',
  '- a\nb: c',
  '<<: *x',
  '!!binary x',
  '? [a]\n: b',
  '\ta: b',
  '%YAML 9\n---\n',
  'a: 1\n---\nb: 2',
  '{',
  '0x1: y',
  'a: .nan',
];

/** Like YAML as people write it, as far as names need no quotes. */
const yamlOf = ({ apiVersion, kind, metadata }: Manifest): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${String(metadata['name'])}\n  labels: {app: web}\n# end\n`;

export function bodyOf(random: Random, kind: Kind, method: string): FuzzBody {
  const manifest = manifestOf(random, kind);
  const text = JSON.stringify(manifest);
  const options = {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    preconditions: { resourceVersion: plainVersionOf(random) },
  };
  const asJson = method === 'DELETE' ? JSON.stringify(options) : text;
  const made = random.weighted<() => FuzzBody>([
    [method === 'PATCH' ? 0 : 6, () => ({ contentType: json, bytes: Buffer.from(asJson) })],
    [method === 'PATCH' ? 6 : 0.5, () => ({ contentType: random.pick(patches), bytes: Buffer.from(text) })],
    [
      method === 'PATCH' ? 4 : 0.3,
      () => ({ contentType: 'application/json-patch+json', bytes: Buffer.from(JSON.stringify(jsonPatch(random))) }),
    ],
    [
      2,
      () => ({
        contentType: 'application/yaml',
        bytes: Buffer.from(random.chance(0.8) ? yamlOf(manifest) : random.pick(yamlOdds)),
      }),
    ],
    [2, () => ({ contentType: protobuf, bytes: protobufOf(manifest) })],
    [1, () => ({ contentType: random.pick(oddTypes), bytes: Buffer.from(text) })],
  ])();
  return random.chance(0.3) ? { ...made, bytes: spoilt(random, made.bytes) } : made;
}

const wholes = [
  '',
  'null',
  '[]',
  '"text"',
  '5',
  '{}',
  'true',
  '{"a":}',
  '\u0000\u0001',
  '{"metadata":null}',
  '{"metadata":[]}',
  '{"metadata":{"name":"\\ud800"}}',
];

function spoilt(random: Random, bytes: Buffer): Buffer {
  const at = random.below(bytes.length);
  const flipped = Buffer.from(bytes);
  flipped[at] = random.below(256);
  const deep = random.pick([200, 9_000, 20_000]);
  return random.weighted<() => Buffer>([
    [4, () => bytes.subarray(0, at)],
    [6, () => flipped],
    [2, () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(random.below(bytes.length))])],
    [4, () => Buffer.from(random.pick(wholes))],
    [
      0.5,
      () =>
        Buffer.from(
          `{"x":${'['.repeat(deep)}"x.clusterspace.member1"${']'.repeat(deep)},${bytes.toString('latin1').slice(1)}`,
        ),
    ],
    [0.5, () => Buffer.from(`${'['.repeat(deep)}`)],
    [0.3, () => gzipSync(bytes)],
    [0.05, () => Buffer.concat([bytes, Buffer.alloc(4_000_000, ' ')])],
    [1, () => Buffer.concat([bytes, bytes])],
  ])();
}
