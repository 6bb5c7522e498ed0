/** Requests that would take long: large, deep, or dear to check. The same number is always the same request. */

import { Random } from '@fleet/differential/random.ts';
import type { FuzzRequest } from '../bad-input/request.ts';
import { wideDefinition } from './definitions.ts';

export const namespace = 'load';

type Made = Pick<FuzzRequest, 'method' | 'target'> & { contentType?: string; accept?: string; body?: string };
type Maker = (random: Random, name: string) => Made;

const core = `/api/v1/namespaces/${namespace}`;
const custom = `/apis/load.fleet.dev/v1/namespaces/${namespace}`;
export const crates = `${custom}/crates`;
const rbac = `/apis/rbac.authorization.k8s.io/v1`;
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';

const times = <One>(count: number, make: (index: number) => One): One[] =>
  Array.from({ length: count }, (_, index) => make(index));
const record = (count: number, value: (index: number) => unknown): Record<string, unknown> =>
  Object.fromEntries(times(count, (index) => [`key${index}`, value(index)]));
/** From some kilobytes to as much as is taken. */
const sized = (random: Random, most: number): number => Math.ceil(most / random.pick([20, 20, 20, 4, 4, 1]));

const configMap = (name: string, rest: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...rest,
});
export const crate = (name: string, spec: object) => ({
  apiVersion: 'load.fleet.dev/v1',
  kind: 'Crate',
  metadata: { name },
  spec,
});
const post = (target: string, body: object): Made => ({ method: 'POST', target, body: JSON.stringify(body) });
const applied = (target: string, body: object): Made => ({
  ...post(`${target}?fieldManager=load&force=true`, body),
  method: 'PATCH',
  contentType: apply,
});

const elements = (random: Random, most: number) =>
  times(sized(random, most), (index) => ({ key: `k${index}`, value: 'v', count: index }));

/** Written whole. */
const writes: readonly Maker[] = [
  (random, name) =>
    post(`${core}/configmaps`, configMap(name, { data: record(sized(random, 150_000), () => 'short') })),
  (random, name) =>
    post(`${core}/configmaps`, configMap(name, { data: { text: 'x'.repeat(sized(random, 2_900_000)) } })),
  (random, name) => ({
    ...post(`${core}/configmaps/${name}`, configMap(name, { data: record(sized(random, 60_000), String) })),
    method: 'PUT',
  }),
  (random, name) => post(crates, crate(name, { numbers: times(sized(random, 430_000), (index) => index) })),
  (random, name) => post(crates, crate(name, { items: elements(random, 66_000) })),
  (random, name) => post(crates, crate(name, { tree: record(sized(random, 140_000), () => ({ a: [] })) })),
  (random, name) =>
    post(`${rbac}/namespaces/${namespace}/roles`, {
      metadata: { name },
      rules: times(sized(random, 50_000), (index) => ({ apiGroups: [''], resources: [`r${index}`], verbs: ['get'] })),
    }),
  (random, name) =>
    post(`${rbac}/namespaces/${namespace}/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'none' },
      subjects: times(sized(random, 80_000), (index) => ({ kind: 'User', name: `user${index}` })),
    }),
  (random, name) => post(`${core}/secrets`, { metadata: { name }, stringData: record(sized(random, 60_000), String) }),
  (random) =>
    post(
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      wideDefinition(wideName(random), sized(random, 60_000)),
    ),
];

/** Of what is there: large onto small, small onto large. */
const changes: readonly Maker[] = [
  (random, name) =>
    applied(`${core}/configmaps/${name}`, configMap(name, { data: record(sized(random, 40_000), String) })),
  (random, name) => applied(`${custom}/crates/${name}`, crate(name, { items: elements(random, 40_000) })),
  (random, name) => ({
    ...applied(`${core}/configmaps/${name}`, {}),
    body: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n${times(sized(random, 20_000), (index) => `  k${index}: "v"`).join('\n')}\n`,
  }),
  (random, name) => ({
    method: 'PATCH',
    target: `${core}/pods/${name}`,
    contentType: 'application/strategic-merge-patch+json',
    body: JSON.stringify({
      metadata: { labels: { some: 'label' } },
      spec: {
        containers: [{ name: 'c', env: times(sized(random, 90_000), (index) => ({ name: `e${index}`, value: 'v' })) }],
      },
    }),
  }),
  (random, name) => ({
    method: 'PATCH',
    target: `${core}/configmaps/${name}`,
    contentType: 'application/json-patch+json',
    body: JSON.stringify(
      times(sized(random, 12_000), (index) => ({ op: 'add', path: `/metadata/labels`, value: { n: `${index}` } })),
    ),
  }),
  // Each copy doubles what is there.
  (_, name) => ({
    method: 'PATCH',
    target: `${core}/configmaps/${name}`,
    contentType: 'application/json-patch+json',
    body: JSON.stringify([
      { op: 'add', path: '/data', value: { a: 'x'.repeat(1_000) } },
      ...times(40, (index) => ({ op: 'copy', from: '/data', path: `/data/b${index}` })),
    ]),
  }),
  ...['configmaps', 'pods'].map(
    (resource): Maker =>
      (random, name) => ({
        method: 'PATCH',
        target: `${core}/${resource}/${name}`,
        contentType: merge,
        body: JSON.stringify({ metadata: { labels: { turn: `${random.below(99)}` } } }),
      }),
  ),
  (random, name) => ({
    method: 'PATCH',
    target: `${custom}/crates/${name}`,
    contentType: merge,
    body: JSON.stringify({ metadata: { annotations: { turn: `${random.below(99)}` } } }),
  }),
];

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const accepts = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', table, partial];

const reads: readonly Maker[] = [
  ...[`${core}/configmaps`, `${core}/secrets`, crates, custom.replace('v1', 'v2').concat('/crates')].flatMap(
    (target): Maker[] => [
      (random, name) => ({ method: 'GET', target: `${target}/${name}`, accept: random.pick(accepts) }),
      (random) => ({
        method: 'GET',
        target: `${target}?labelSelector=turn`,
        accept: random.pick([...accepts.slice(0, 4), partial.replace('Metadata;', 'MetadataList;')]),
      }),
      (random) => ({
        method: 'GET',
        target: `${target}?watch=1&timeoutSeconds=1${random.pick(['', '&labelSelector=turn'])}`,
        accept: random.pick(['application/json', table, partial, 'application/vnd.kubernetes.protobuf']),
      }),
    ],
  ),
  (random) => ({
    method: 'GET',
    target: '/openapi/v2',
    accept: random.pick(['application/json', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf']),
  }),
  (random) => ({
    method: 'GET',
    target: random.pick(['/openapi/v3', '/openapi/v3/apis/load.fleet.dev/v1', '/openapi/v3/api/v1']),
  }),
];

const removals: readonly Maker[] = [
  ...[`${core}/configmaps`, `${core}/pods`, `${core}/secrets`, crates].map(
    (target): Maker =>
      (_, name) => ({ method: 'DELETE', target: `${target}/${name}` }),
  ),
  (_, name) => ({
    method: 'DELETE',
    target: `${rbac}/namespaces/${namespace}/${name < 'large-3' ? 'roles' : 'rolebindings'}/${name}`,
  }),
  (random) => ({
    method: 'DELETE',
    target: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${wideName(random)}.load.fleet.dev`,
  }),
  (random) => ({
    method: 'DELETE',
    target: `${core}/configmaps/none`,
    body: JSON.stringify({
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      preconditions: { uid: 'x'.repeat(sized(random, 900_000)) },
    }),
  }),
];

/** Deep, or dear. */
const oddities: readonly Maker[] = [
  (random, name) => {
    const depth = random.pick([200, 900, 5_000, 100_000, 700_000]);
    return {
      ...post(crates, {}),
      body: `{"apiVersion":"load.fleet.dev/v1","kind":"Crate","metadata":{"name":"${name}"},"spec":{"tree":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}}`,
    };
  },
  (random) => ({ ...post(`${core}/configmaps`, {}), body: '['.repeat(random.pick([5_000, 1_000_000])) }),
  (random) => ({
    ...post(`${core}/configmaps`, {}),
    contentType: 'application/yaml',
    body: '- '.repeat(random.pick([500, 4_000, 100_000])),
  }),
  (random, name) => post(crates, crate(name, { word: `${'a'.repeat(random.pick([30, 1_000, 60_000, 500_000]))}!` })),
  (random, name) =>
    post(`${custom}/puzzles`, {
      ...crate(name, { pieces: times(random.pick([10, 300, 1_000]), String).map(Number) }),
      kind: 'Puzzle',
    }),
  (random, name) =>
    post(`${custom}/puzzles`, {
      ...crate(name, { title: `${'b'.repeat(random.pick([30, 9_000]))}!` }),
      kind: 'Puzzle',
    }),
  (random) =>
    post(`${core}/configmaps`, {
      metadata: { name: 'x', labels: record(sized(random, 60_000), () => 'not a label!') },
    }),
  (random) =>
    post(`${core}/configmaps`, { metadata: { name: 'x', finalizers: times(sized(random, 100_000), String) } }),
  (random) => post(`${core}/configmaps`, { metadata: { name: 'x' }, ...record(sized(random, 100_000), String) }),
  (random) =>
    post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      spec: {
        resourceAttributes: { verb: 'get', resource: 'x'.repeat(sized(random, 1_000_000)) },
        ...record(sized(random, 60_000), String),
      },
    }),
];

const wideNames = ['wide', 'wider'] as const;
const wideName = (random: Random): string => random.pick(wideNames);

/** All that large requests make. */
export const largeOnes: readonly string[] = [
  ...['configmaps', 'secrets', 'pods'].map((resource) => `${core}/${resource}`),
  ...['crates', 'puzzles'].map((resource) => `${custom}/${resource}`),
  ...['roles', 'rolebindings'].map((resource) => `${rbac}/namespaces/${namespace}/${resource}`),
  ...wideNames.map((name) => `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}.load.fleet.dev`),
];

/** Behind a large list the deletion of some of it: what is there stays of one size. */
const makers: readonly (readonly [number, readonly Maker[]])[] = [
  [5, writes],
  [5, changes],
  [4, reads],
  [4, removals],
  [4, oddities],
];

export function largeOf(seed: string, index: number): FuzzRequest {
  const random = new Random(`${seed}/large/${index}`);
  const make = random.pick(random.weighted(makers));
  const {
    method,
    target,
    contentType = 'application/json',
    accept = 'application/json',
    body,
  } = make(random, `large-${random.below(6)}`);
  const headers = { 'user-agent': `load/${index}`, accept };
  return body === undefined
    ? { index, method, target, headers }
    : { index, method, target, headers: { ...headers, 'content-type': contentType }, body: Buffer.from(body) };
}
