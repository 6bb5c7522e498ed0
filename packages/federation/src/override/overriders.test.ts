import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import type {
  CommandOverrider,
  FieldOverrider,
  ImageOverrider,
  MapOverrider,
  PlaintextOverrider,
} from '../api/policies.ts';
import { overridden } from './overriders.ts';

const pod = (containers: unknown[]): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'x' },
  spec: { containers },
});
const workload = (kind: string, containers: unknown[]): AnyObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: 'x' },
  spec: { template: { spec: { containers, initContainers: [{ name: 'init', image: 'init:1' }] } } },
});
const nginx = { name: 'nginx', image: 'registry.example/nginx:v1' };
const digest = `sha256:${'d'.repeat(64)}`;

const imagesOf = (text: object): string[] =>
  [...JSON.stringify(text).matchAll(/"image":"([^"]*)"/g)].map((one) => one[1]!);

describe('FED-7: image overriders', () => {
  it.each<[ImageOverrider['component'], ImageOverrider['operator'], string | undefined, string, string]>([
    ['Registry', 'add', 'registry.k8s.io', 'perl:5.34.0', 'registry.k8s.io/perl:5.34.0'],
    ['Registry', 'add', '.test', 'registry.example/nginx:v1', 'registry.example.test/nginx:v1'],
    ['Registry', 'replace', 'registry.us:5000', 'registry.example/nginx:v1', 'registry.us:5000/nginx:v1'],
    ['Registry', 'remove', 'ignored', 'registry.example/nginx:v1', 'nginx:v1'],
    ['Repository', 'add', '/sub', 'registry.example/nginx:v1', 'registry.example/nginx/sub:v1'],
    ['Repository', 'replace', 'caddy', 'registry.example/nginx:v1', 'registry.example/caddy:v1'],
    ['Repository', 'remove', undefined, 'registry.example/nginx:v1', 'registry.example/:v1'],
    ['Tag', 'add', '-alpine', 'nginx:v1', 'nginx:v1-alpine'],
    ['Tag', 'add', 'v2', 'nginx', 'nginx:v2'],
    ['Tag', 'add', digest, 'nginx:v1.0.0', 'nginx:v1.0.0'],
    ['Tag', 'replace', digest, 'nginx:v1', `nginx@${digest}`],
    ['Tag', 'add', 'abc', `nginx@${digest}`, `nginx@${digest}abc`],
    ['Tag', 'add', '-x', `nginx@${digest}`, `nginx@${digest}`],
    ['Tag', 'replace', 'v2', `nginx@${digest}`, 'nginx:v2'],
    ['Tag', 'remove', 'ignored', 'nginx:v1', 'nginx'],
    ['Tag', 'remove', undefined, `nginx@${digest}`, 'nginx'],
    ['Registry', 'replace', 'r.io', `nginx@${digest}`, `r.io/nginx@${digest}`],
  ])('FED-7: %s %s %s of %s', (component, operator, value, image, expected) => {
    const overrider = { component, operator, ...(value && { value }) };
    const result = overridden(pod([{ name: 'a', image }]), { imageOverrider: [overrider] });
    expect(imagesOf(result)).toEqual([expected]);
  });

  const toCaddy: ImageOverrider = { component: 'Repository', operator: 'replace', value: 'caddy' };

  it.each(['ReplicaSet', 'Deployment', 'DaemonSet', 'StatefulSet', 'Job'])(
    'FED-7: all containers of a %s, no init container',
    (kind) => {
      const result = overridden(workload(kind, [nginx, { name: 'b', image: 'b' }]), { imageOverrider: [toCaddy] });
      expect(imagesOf(result)).toEqual(['registry.example/caddy:v1', 'caddy', 'init:1']);
    },
  );

  it('FED-7: other kinds only with a predicate', () => {
    const own = workload('CronTab', [nginx, nginx]);
    expect(overridden(own, { imageOverrider: [toCaddy] })).toEqual(own);
    const predicate = { path: '/spec/template/spec/containers/1/image' };
    const result = overridden(own, { imageOverrider: [{ ...toCaddy, predicate }] });
    expect(imagesOf(result)).toEqual([nginx.image, 'registry.example/caddy:v1', 'init:1']);
  });

  it.each([
    ['/spec/containers/1/image', 'does not exist'],
    ['/spec/containers/0', 'an image is no text'],
    ['spec/containers/0/image', 'does not begin with a slash'],
    ['/spec/containers/x/image', 'does not exist'],
  ])('FED-7: the predicate %s fails: %s', (path, why) => {
    expect(() => overridden(pod([nginx]), { imageOverrider: [{ ...toCaddy, predicate: { path } }] })).toThrow(why);
  });

  it('FED-7: a container without an image fails, a pod without containers does not', () => {
    expect(() => overridden(pod([{ name: 'a' }]), { imageOverrider: [toCaddy] })).toThrow('no reference of an image');
    const empty = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } };
    expect(overridden(empty, { imageOverrider: [toCaddy] })).toEqual(empty);
  });

  it('FED-7: one after the other', () => {
    const imageOverrider: ImageOverrider[] = [toCaddy, { component: 'Repository', operator: 'add', value: '/x' }];
    expect(imagesOf(overridden(pod([nginx]), { imageOverrider }))).toEqual(['registry.example/caddy/x:v1']);
  });
});

describe('FED-7: command and args overriders', () => {
  const one = (field: 'command' | 'args', words?: unknown) => pod([{ name: 'a', [field]: words }, { name: 'b' }]);

  it.each<[string, unknown, Omit<CommandOverrider, 'containerName'>, unknown]>([
    ['added behind', ['sh'], { operator: 'add', value: ['-c', 'x'] }, ['sh', '-c', 'x']],
    ['added where there was none', undefined, { operator: 'add', value: ['x'] }, ['x']],
    ['removed, each of them', ['a', 'b', 'a'], { operator: 'remove', value: ['a'] }, ['b']],
    ['nothing removed', ['a'], { operator: 'remove' }, ['a']],
    ['removed where there was none', undefined, { operator: 'remove', value: ['a'] }, []],
    ['replace changes nothing', ['a'], { operator: 'replace', value: ['b'] }, ['a']],
  ])('FED-7: %s', (_, words, overrider, expected) => {
    for (const field of ['command', 'args'] as const) {
      const overriders = { [`${field}Overrider`]: [{ containerName: 'a', ...overrider }] };
      expect(overridden(one(field, words), overriders)).toEqual(one(field, expected));
    }
  });

  it('FED-7: a command that is no list fails', () => {
    const commandOverrider = [{ containerName: 'a', operator: 'add' } as const];
    expect(() => overridden(one('command', 'sh'), { commandOverrider })).toThrow('a command is no list');
  });
});

describe('FED-7: labels and annotations overriders', () => {
  const before = { foo: 'foo', bar: 'bar' };

  it.each<[string, Record<string, string> | undefined, MapOverrider, Record<string, string> | undefined]>([
    ['replace', before, { operator: 'replace', value: { foo: 'new', other: 'x' } }, { foo: 'new', bar: 'bar' }],
    ['add', before, { operator: 'add', value: { 'a/b': 'c', foo: 'x' } }, { foo: 'x', bar: 'bar', 'a/b': 'c' }],
    ['remove', before, { operator: 'remove', value: { foo: 'whatever', other: '' } }, { bar: 'bar' }],
    ['nothing', before, { operator: 'add', value: {} }, before],
    ['add where there are none', undefined, { operator: 'add', value: { a: 'b' } }, { a: 'b' }],
    ['remove where there are none', undefined, { operator: 'remove', value: { a: 'b' } }, undefined],
    ['replace where there are none', undefined, { operator: 'replace', value: { a: 'b' } }, undefined],
  ])('FED-7: %s', (_, keys, overrider, expected) => {
    for (const field of ['labels', 'annotations'] as const) {
      const manifest = (map?: object) =>
        ({ kind: 'ConfigMap', metadata: { name: 'x', ...(map && { [field]: map }) } }) as unknown as AnyObject;
      expect(overridden(manifest(keys), { [`${field}Overrider`]: [overrider] })).toEqual(manifest(expected));
    }
  });
});

describe('FED-7: field overriders', () => {
  const config = (text: unknown): AnyObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x' },
    data: { 'db.yaml': text, 'a/b': text },
  });
  const after = (text: string, overrider: Omit<FieldOverrider, 'fieldPath'>): unknown =>
    (overridden(config(text), { fieldOverrider: [{ fieldPath: '/data/db.yaml', ...overrider }] })['data'] as object)[
      'db.yaml' as never
    ];

  it('FED-7: YAML', () => {
    const yaml: FieldOverrider['yaml'] = [
      { subPath: '/db/port', operator: 'replace', value: 3306 },
      { subPath: '/db/hosts/-', operator: 'add', value: 'c' },
      { subPath: '/x', operator: 'remove' },
    ];
    expect(after('db:\n  port: 5432 # old\n  hosts: [a, "yes"]\nx: 1\nbig: 9007199254740993\n', { yaml })).toBe(
      'big: 9007199254740993\ndb:\n  hosts:\n  - a\n  - "yes"\n  - c\n  port: 3306\n',
    );
  });

  it('FED-7: JSON keeps order and digits, and is escaped as Go does', () => {
    const json: FieldOverrider['json'] = [{ subPath: '/c/0', operator: 'replace', value: '<&>\u2028' }];
    expect(after('{"b": 1.0, "a": 12345678901234567890, "c": [1]}', { json })).toBe(
      '{"b":1.0,"a":12345678901234567890,"c":["\\u003c\\u0026\\u003e\\u2028"]}',
    );
  });

  it('FED-7: with neither the field stays as it is', () => {
    expect(after('a: 1', {})).toBe('a: 1');
  });

  it('FED-7: the path of the field is a JSON pointer', () => {
    const json: FieldOverrider['json'] = [{ subPath: '/a', operator: 'add', value: 1 }];
    const result = overridden(config('{}'), { fieldOverrider: [{ fieldPath: '/data/a~1b', json }] });
    expect(result['data']).toEqual({ 'db.yaml': '{}', 'a/b': '{"a":1}' });
  });

  it.each<[string, unknown, Partial<FieldOverrider>, string]>([
    ['no such field', 'a: 1', { fieldPath: '/data/other' }, 'does not exist'],
    ['no text', 1, {}, 'is no text'],
    ['no YAML', 'a: [', { yaml: [{ subPath: '/a', operator: 'remove' }] }, 'error converting YAML to JSON'],
    ['no JSON', 'a: 1', { json: [{ subPath: '/a', operator: 'remove' }] }, 'JSON'],
    ['no object', '"a"', { json: [{ subPath: '/a', operator: 'add', value: 1 }] }, 'neither an object nor a list'],
    ['an empty text', '', { yaml: [{ subPath: '/a', operator: 'add', value: 1 }] }, 'neither an object nor a list'],
    ['no such key inside', 'a: 1', { yaml: [{ subPath: '/b', operator: 'remove' }] }, 'the path "/b" does not exist'],
  ])('FED-7: %s fails', (_, text, overrider, why) => {
    const fieldOverrider = [{ fieldPath: '/data/db.yaml', ...overrider }];
    expect(() => overridden(config(text), { fieldOverrider })).toThrow(why);
  });
});

describe('FED-7: plaintext overriders', () => {
  it('FED-7: a JSON patch, all or nothing', () => {
    const plaintext: PlaintextOverrider[] = [
      { path: '/spec/containers/0/env', operator: 'add', value: [{ name: 'A' }] },
      { path: '/spec/containers/0/image', operator: 'remove' },
    ];
    expect(overridden(pod([nginx]), { plaintext })['spec']).toEqual({
      containers: [{ name: 'nginx', env: [{ name: 'A' }] }],
    });
    const failing: PlaintextOverrider[] = [...plaintext, { path: '/none', operator: 'remove' }];
    expect(() => overridden(pod([nginx]), { plaintext: failing })).toThrow('the path "/none" does not exist');
  });

  it('FED-7: what is left must be an object', () => {
    expect(() => overridden(pod([]), { plaintext: [{ path: '/kind', operator: 'remove' }] })).toThrow('no Kubernetes');
  });
});

describe('FED-7: the order of overriders', () => {
  it('FED-7: image, command, args, labels, annotations, field, plaintext', () => {
    const manifest = { ...pod([nginx]), data: { text: '{"a":1}' } };
    const result = overridden(manifest, {
      plaintext: [
        { path: '/spec/containers/0/image', operator: 'replace', value: 'last' },
        { path: '/spec/containers/0/command/0', operator: 'replace', value: 'last' },
        { path: '/metadata/labels/a', operator: 'replace', value: 'last' },
        { path: '/data/text', operator: 'remove' },
      ],
      fieldOverrider: [
        { fieldPath: '/metadata/annotations/json', json: [{ subPath: '/x', operator: 'add', value: 1 }] },
      ],
      annotationsOverrider: [{ operator: 'add', value: { json: '{}' } }],
      labelsOverrider: [{ operator: 'add', value: { a: 'first' } }],
      commandOverrider: [{ containerName: 'nginx', operator: 'add', value: ['first'] }],
      imageOverrider: [{ component: 'Tag', operator: 'replace', value: 'first' }],
    });
    expect(result).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'x', labels: { a: 'last' }, annotations: { json: '{"x":1}' } },
      spec: { containers: [{ name: 'nginx', image: 'last', command: ['last'] }] },
      data: {},
    });
  });
});
