import type { RequestBody } from '@fleet/kube/request-body.ts';
import { readRequestBody } from '@fleet/kube/request-body.ts';
import { describe, expect, it } from 'vitest';
import { strippedBody } from './stripped-body.ts';

const stripText = (text: string, contentType = 'application/json', renamed?: { text: string; name: string }) => {
  const bytes = Buffer.from(text);
  const read = readRequestBody(bytes, contentType) as RequestBody;
  const versionOf = (version: string) => (version === 'merged' ? '7' : version);
  return strippedBody({ bytes, contentType, read, ...(renamed ? { renamed } : {}) }, { cluster: 'm1', versionOf });
};

const strip = (body: unknown, contentType?: string) =>
  JSON.parse(stripText(JSON.stringify(body), contentType).bytes.toString());

const x = 'x.clusterspace.m1';

describe('NAME-3: suffixes are taken out of a body', () => {
  it('wherever a whole text ends in the target’s', () => {
    expect(
      strip({
        metadata: { name: x, namespace: 'd.clusterspace.m1', ownerReferences: [{ name: 'o.clusterspace.m1' }] },
        spec: { nodeName: 'n.clusterspace.m1', other: 'y.clusterspace.m2', text: `${x} and more`, list: [x] },
      }),
    ).toEqual({
      metadata: { name: 'x', namespace: 'd', ownerReferences: [{ name: 'o' }] },
      spec: { nodeName: 'n', other: 'y.clusterspace.m2', text: `${x} and more`, list: ['x'] },
    });
  });

  it('but in texts that are the user’s own', () => {
    const own = {
      metadata: { annotations: { a: x } },
      data: { a: x },
      stringData: { a: x },
      binaryData: { a: x },
      spec: { containers: [{ command: [x], args: [x], env: [{ name: 'A', value: x }] }] },
    };
    expect(strip(own)).toEqual(own);
    expect(strip({ spec: { env: [{ name: x, valueFrom: { configMapKeyRef: { name: x } } }], value: x } })).toEqual({
      spec: { env: [{ name: 'x', valueFrom: { configMapKeyRef: { name: 'x' } } }], value: 'x' },
    });
  });

  it('written with escapes too', () => {
    expect(JSON.parse(stripText('{"metadata":{"name":"x\\u002eclusterspace.m1"}}').bytes.toString())).toEqual({
      metadata: { name: 'x' },
    });
  });

  it('in a JSON patch the operation’s path decides', () => {
    const patch = [
      { op: 'replace', path: '/metadata/name', value: x },
      { op: 'add', path: '/metadata/annotations/a', value: x },
      { value: { name: 'A', value: x }, op: 'add', path: '/spec/template/spec/containers/0/env/-' },
      { op: 'add', path: '/spec/template/spec/containers/0/env/0/value', value: x },
      { op: 'add', path: '/data', value: { a: x } },
      { op: 'add', path: '/spec', value: { nodeName: x } },
      { op: 'test', path: '/metadata/resourceVersion', value: 'merged' },
    ];
    const values = [x, x, { name: 'A', value: x }, x, { a: x }, { nodeName: 'x' }, '7'];
    values[0] = 'x';
    expect(strip(patch, 'application/json-patch+json').map(({ value }: { value: unknown }) => value)).toEqual(values);
  });

  it('everything else keeps its bytes: order, numbers, spaces', () => {
    const text = '{ "z": 12345678901234567890, "metadata": {"name": "x.clusterspace.m1", "a": 1.50} }';
    expect(stripText(text).bytes.toString()).toBe(text.replace(x, 'x'));
  });

  it('YAML goes on as JSON, but as it came where there is nothing to take out', () => {
    const yaml = `metadata:\n  name: ${x}\nspec: {a: 0o7, b: yes, c: 12345678901234567890, d: 2001-01-01}\n`;
    const stripped = stripText(yaml, 'application/yaml');
    expect(stripped.contentType).toBe('application/json');
    expect(stripped.bytes.toString()).toContain('"c":12345678901234567890');
    expect(JSON.parse(stripped.bytes.toString())).toMatchObject({
      metadata: { name: 'x' },
      spec: { b: true, d: '2001-01-01' },
    });
    expect(stripText('a: b', 'application/yaml')).toMatchObject({
      bytes: Buffer.from('a: b'),
      contentType: 'application/yaml',
    });
    expect(stripText(yaml, 'application/apply-patch+yaml').contentType).toBe('application/apply-patch+yaml');
  });

  it('a derived name becomes the one that was meant', () => {
    const text = JSON.stringify({ metadata: { name: 'x.clusterspace.m1-zz' } });
    const { bytes } = stripText(text, undefined, { text: 'x.clusterspace.m1-zz', name: 'x-zz' });
    expect(JSON.parse(bytes.toString())).toEqual({ metadata: { name: 'x-zz' } });
  });

  it('what is no JSON goes on as it came', () => {
    for (const type of ['application/json', 'application/json-patch+json']) {
      expect(stripText(`{"metadata":{"name":"${x}"`, type).bytes.toString()).toContain(x);
    }
  });
});

describe('NAME-11: what a view adds is never written', () => {
  it('the virtual label, and the annotation of plain-name views', () => {
    expect(
      strip({
        metadata: { labels: { clusterspace: 'm1', a: 'b' }, annotations: { 'cluster.karmada.io/name': 'm1' } },
        spec: { selector: { matchLabels: { app: 'web', clusterspace: 'm1' } }, template: { clusterspace: 'm1' } },
      }),
    ).toEqual({
      metadata: { labels: { a: 'b' }, annotations: {} },
      spec: { selector: { matchLabels: { app: 'web' } }, template: { clusterspace: 'm1' } },
    });
    expect(strip({ spec: { selector: { clusterspace: 'm1' } } })).toEqual({ spec: { selector: {} } });
  });

  describe.each(['cluster.karmada.io/name', 'resource.karmada.io/cached-from-cluster'])('CACHE-9: %s', (annotation) => {
    const own = { annotations: { a: 'b' } };
    const shown = { annotations: { [annotation]: 'm1', a: 'b' } };

    it.each([
      'application/json',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
      'application/apply-patch+yaml',
    ])('in %s', (type) => {
      expect(strip({ metadata: shown, spec: { template: { metadata: shown } } }, type)).toEqual({
        metadata: own,
        // Of a template it is the user's own.
        spec: { template: { metadata: shown } },
      });
    });

    it('in YAML', () => {
      const text = `metadata:\n  annotations:\n    ${annotation}: m1\n    a: b\n`;
      expect(JSON.parse(stripText(text, 'application/yaml').bytes.toString())).toEqual({ metadata: own });
    });

    it('in a JSON patch: alone, and among others', () => {
      const patch = [
        { op: 'add', path: `/metadata/annotations/${annotation.replaceAll('/', '~1')}`, value: 'm1' },
        { op: 'replace', path: '/metadata', value: shown },
      ];
      expect(strip(patch, 'application/json-patch+json')).toEqual([{ op: 'replace', path: '/metadata', value: own }]);
    });
  });

  it('nor when it stands there twice', () => {
    const labels = (text: string) => `{"metadata":{"labels":{${text}}}}`;
    const label = '"clusterspace":"m1"';
    for (const text of [`${label},${label},"a":"b"`, `${label},"a":"b",${label}`, `"a":"b",${label},${label}`]) {
      expect(stripText(labels(text)).bytes.toString()).toBe(labels('"a":"b"'));
    }
    expect(stripText(labels(`${label}, ${label} ,${label}`)).bytes.toString()).toMatch(/"labels":\{\s*\}/);
  });

  describe('by a JSON patch', () => {
    const patched = (...operations: unknown[]) => strip(operations, 'application/json-patch+json');
    const other = { op: 'add', path: '/metadata/labels/a', value: 'b' };
    const pointers = [
      '/metadata/labels',
      '/spec/selector',
      '/spec/selector/matchLabels',
      '/spec/template/metadata/labels',
    ];

    it.each(pointers)('alone at %s: the operation goes', (pointer) => {
      const label = { op: 'add', path: `${pointer}/clusterspace`, value: 'm1' };
      const replaced = { value: 'm1', op: 'replace', path: `${pointer}/clusterspace` };
      expect(patched(label)).toEqual([]);
      expect(patched(label, other)).toEqual([other]);
      expect(patched(other, replaced)).toEqual([other]);
      expect(patched(label, replaced, other, label, other, replaced)).toEqual([other, other]);
    });

    it.each(pointers)('within the value at %s: the label goes', (pointer) => {
      const labels = { op: 'add', path: pointer, value: { clusterspace: 'm1', a: x } };
      expect(patched(labels)).toEqual([{ ...labels, value: { a: 'x' } }]);
    });

    it('what is only like it stays', () => {
      const like = [
        { op: 'add', path: '/metadata/labels/clusterspace', value: 'm2' },
        { op: 'add', path: '/metadata/annotations/clusterspace', value: 'm1' },
        { op: 'add', path: '/metadata/labels/clusterspace/x', value: 'm1' },
        { op: 'add', path: '/metadata/labels', value: { clusterspace: 'm2' } },
        // What is no label of ours can be taken away; where it is ours there is nothing to take away, and the member reports it.
        { op: 'remove', path: '/metadata/labels/clusterspace' },
      ];
      expect(patched(...like)).toEqual(like);
    });
  });
});

describe('RV-5: versions in writes', () => {
  it('are the cluster’s own wherever Kubernetes compares them', () => {
    const version = { resourceVersion: 'merged' };
    const own = { resourceVersion: '7' };
    expect(
      strip({ metadata: version, preconditions: version, deleteOptions: { preconditions: version }, spec: version }),
    ).toEqual({ metadata: own, preconditions: own, deleteOptions: { preconditions: own }, spec: version });
  });
});
