import { describe, expect, it } from 'vitest';
import type { Answer, Request } from '../request.ts';
import { suffixedNameView } from './suffixed-name.ts';
import { versionMap } from './version-map.ts';

const view = suffixedNameView('m1');
const maps = '/api/v1/namespaces/d/configmaps';

const request = (method: string, path: string, more: Partial<Request> = {}): Request => ({
  method,
  path,
  query: [],
  headers: {},
  ...more,
});

const answer = (body: unknown): Answer => ({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) });

/** What the request's answer looks like on the way back. */
function back(asked: Request, body: unknown): unknown {
  return JSON.parse(view.back(answer(body), view.out(asked)).body.toString());
}

describe('requests by suffixed name', () => {
  it.each([
    ['an object', 'GET', `${maps}/x`, `${maps}/x.clusterspace.m1`],
    ['a subresource', 'GET', `${maps}/x/status`, `${maps}/x.clusterspace.m1/status`],
    ['a namespace', 'GET', '/api/v1/namespaces/d', '/api/v1/namespaces/d.clusterspace.m1'],
    ['its status', 'GET', '/api/v1/namespaces/d/status', '/api/v1/namespaces/d.clusterspace.m1/status'],
    ['a namespace with a slash at its end', 'GET', '/api/v1/namespaces/d/', '/api/v1/namespaces/d.clusterspace.m1/'],
    ['a slash at the end', 'GET', `${maps}/x/`, `${maps}/x.clusterspace.m1/`],
    ['a list', 'GET', maps, maps],
  ])('%s', (_, method, path, expected) => {
    expect(view.out(request(method, path))).toMatchObject({ path: expected, query: [] });
  });

  it.each([
    ['discovery', 'GET', '/apis/apps/v1', undefined],
    ['a body without a name', 'POST', maps, '{"metadata":{}}'],
    ['a body that is cut off', 'POST', maps, '{"metadata":{"name":"x"'],
  ])('what has no name is asked by the query: %s', (_, method, path, body) => {
    const sent = view.out(request(method, path, body === undefined ? {} : { body }));
    expect(sent).toMatchObject({ path, query: [['clusterspace', 'm1']] });
  });

  it('names and versions in bodies, in JSON, YAML and JSON patches', () => {
    const sent = (body: string, type = 'application/json') =>
      view.out(request('PUT', `${maps}/x`, { body, headers: { 'content-type': type } })).body;
    const object =
      '{"metadata":{"name":"x","ownerReferences":[{"name":"o"}],"resourceVersion":"7"},"data":{"name":"x"}}';
    expect(JSON.parse(sent(object) ?? '')).toEqual({
      metadata: {
        name: 'x.clusterspace.m1',
        ownerReferences: [{ name: 'o.clusterspace.m1' }],
        resourceVersion: versionMap(['m1'], '7'),
      },
      data: { name: 'x' },
    });
    expect(sent('\u0000', 'application/yaml')).toBe('\u0000');
    expect(sent('metadata:\n  name: x\n', 'application/yaml')).toBe('metadata:\n  name: x.clusterspace.m1\n');
    const patch = '[{"op":"test","path":"/metadata/name","value":"x"},{"op":"add","path":"/data/name","value":"x"}]';
    expect(sent(patch, 'application/json-patch+json')).toBe(patch.replace('"x"', '"x.clusterspace.m1"'));
  });

  it('a list by name goes to one place, another one keeps its merged version', () => {
    const listed = (...query: [string, string][]) => view.out(request('GET', maps, { query })).query;
    const version = versionMap(['m1'], '7');
    expect(listed(['fieldSelector', 'metadata.name=x'], ['resourceVersion', version])).toEqual([
      ['fieldSelector', 'metadata.name=x.clusterspace.m1'],
      ['resourceVersion', '7'],
    ]);
    expect(listed(['fieldSelector', 'metadata.name!=x'], ['resourceVersion', version])[1]).toEqual([
      'resourceVersion',
      version,
    ]);
  });

  it('a watch with a selector chooses the cluster, also by its version', () => {
    const asked = (...query: [string, string][]) =>
      view.out(request('GET', maps, { query: [['watch', 'true'], ...query] })).query.slice(1);
    const [all, one] = [versionMap(['m0', 'm1'], '7'), versionMap(['m1'], '7')];
    expect(asked(['resourceVersion', all])).toEqual([['resourceVersion', all]]);
    expect(asked(['labelSelector', 'a=b'], ['resourceVersion', all])).toEqual([
      ['labelSelector', 'a=b,clusterspace=m1'],
      ['resourceVersion', one],
    ]);
  });
});

describe('answers to requests by suffixed name', () => {
  const one = request('GET', `${maps}/x`);

  it('lose the suffix where it belongs, and nowhere else', () => {
    const shown = { name: 'x.clusterspace.m1', ownerReferences: [{ name: 'o.clusterspace.m1' }] };
    expect(back(one, { kind: 'ConfigMap', metadata: shown, data: { a: 'b.clusterspace.m1' } })).toEqual({
      kind: 'ConfigMap',
      metadata: { name: 'x', ownerReferences: [{ name: 'o' }] },
      data: { a: 'b.clusterspace.m1' },
    });
  });

  it('are marked where it is missing', () => {
    expect(back(one, { kind: 'ConfigMap', metadata: { name: 'x' } })).toEqual({
      kind: 'ConfigMap',
      metadata: { name: '‹no cluster› x' },
    });
    const error = { kind: 'Status', message: 'configmaps "x" not found', details: { name: 'x' } };
    expect(back(one, error)).toMatchObject({
      message: expect.stringMatching(/^‹no cluster›/),
      details: { name: '‹no cluster› x' },
    });
  });

  it('errors quote the plain name', () => {
    const error = {
      kind: 'Status',
      message: 'configmaps "x.clusterspace.m1" not found',
      details: { name: 'x.clusterspace.m1' },
    };
    expect(back(one, error)).toEqual({ kind: 'Status', message: 'configmaps "x" not found', details: { name: 'x' } });
  });

  it('errors about a name that was to be made', () => {
    const create = request('POST', maps, { body: '{"metadata":{"generateName":"x-"}}' });
    const error = (name: string) => ({ kind: 'Status', message: `pods "${name}" is invalid`, details: { name } });
    for (const name of ['x-', 'x-abcde']) {
      expect(back(create, error(`${name}.clusterspace.m1`))).toEqual(error(name));
      expect(back(create, error(name))).toMatchObject({
        message: expect.stringMatching(/^‹no cluster›/),
        details: { name: `‹no cluster› ${name}` },
      });
    }
  });

  it('a merged list has one version, and it is a map', () => {
    const list = (resourceVersion: string) => ({ kind: 'ConfigMapList', metadata: { resourceVersion }, items: [] });
    expect(back(request('GET', maps), list(versionMap(['m1'], '7')))).toEqual(list('7'));
    expect(back(request('GET', maps), list('7'))).toEqual(list('‹no map› 7'));
  });

  it('the events of a merged watch have their own versions, its bookmarks a map', () => {
    const watch = view.out(request('GET', maps, { query: [['watch', 'true']] }));
    const event = (type: string, version: string, name = {}) =>
      JSON.stringify({ type, object: { kind: 'ConfigMap', metadata: { ...name, resourceVersion: version } } });
    const map = versionMap(['m0', 'm1'], '7');
    expect(view.backEvent(event('BOOKMARK', map), watch)).toBe(event('BOOKMARK', '7'));
    expect(view.backEvent(event('BOOKMARK', '7'), watch)).toBe(event('BOOKMARK', '‹no map› 7'));
    const added = (suffix: string) => event('ADDED', '7', { name: `x${suffix}` });
    expect(view.backEvent(added('.clusterspace.m1'), watch)).toBe(added(''));
  });

  it('the virtual label is taken out of selectors and rows, and missed there', () => {
    const deployment = request('GET', '/apis/apps/v1/namespaces/d/deployments/x');
    const selecting = (matchLabels: object) => ({ kind: 'Deployment', spec: { selector: { matchLabels } } });
    expect(back(deployment, selecting({ clusterspace: 'm1', a: 'b' }))).toEqual(selecting({ a: 'b' }));
    expect(back(deployment, selecting({ a: 'b' }))).not.toEqual(selecting({ a: 'b' }));
    const columnDefinitions = [{ name: 'Name', format: 'name' }];
    const rows = (labels: object) => [{ cells: ['x.clusterspace.m1'], object: { metadata: { ...labels, uid: 'u' } } }];
    const table = (labels: object) => ({ kind: 'Table', columnDefinitions, rows: rows(labels) });
    expect(back(request('GET', maps), table({ labels: { clusterspace: 'm1' } }))).toEqual({
      ...table({}),
      rows: [{ cells: ['x'], object: { metadata: { uid: 'u' } } }],
    });
  });
});
