import { expect, it } from 'vitest';
import type { Request } from '../request.ts';
import { suffixedNamespaceView } from './suffixed-namespace.ts';

const view = suffixedNamespaceView('m1');

const request = (method: string, path: string, body?: object): Request => ({
  method,
  path,
  query: [],
  headers: {},
  ...(body && { body: JSON.stringify(body) }),
});

function back(asked: Request, body: unknown): unknown {
  const answer = { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) };
  return JSON.parse(view.back(answer, view.out(asked)).body.toString());
}

const one = request('GET', '/api/v1/namespaces/d/configmaps/x');

it('the namespace carries the suffix, in path and body', () => {
  const body = { metadata: { name: 'x', namespace: 'd' }, data: { namespace: 'd' } };
  const sent = view.out(request('PUT', one.path, body));
  expect(sent.path).toBe('/api/v1/namespaces/d.clusterspace.m1/configmaps/x');
  const metadata = { name: 'x', namespace: 'd.clusterspace.m1' };
  expect(JSON.parse(sent.body ?? '')).toEqual({ ...body, metadata });
});

it.each(['/api/v1/namespaces/d', '/api/v1/namespaces/d/', '/api/v1/configmaps', '/apis/apps/v1'])(
  '%s is asked by the query',
  (path) => {
    expect(view.out(request('GET', path))).toMatchObject({ path, query: [['clusterspace', 'm1']] });
  },
);

it('answers lose it in metadata.namespace alone, and are marked where it is missing', () => {
  const object = (namespace: string, a: string) => ({
    kind: 'ConfigMap',
    metadata: { name: 'x', namespace },
    data: { a },
  });
  expect(back(one, object('d.clusterspace.m1', 'd.clusterspace.m1'))).toEqual(object('d', 'd.clusterspace.m1'));
  expect(back(one, object('d', ''))).toEqual(object('‹no cluster› d', ''));
});

it('the rows of a Table carry the virtual label', () => {
  const table = (labels: object) => ({ kind: 'Table', rows: [{ object: { metadata: { labels } } }] });
  expect(back(one, table({ clusterspace: 'm1', a: 'b' }))).toEqual(table({ a: 'b' }));
  expect(back(one, table({ a: 'b' }))).not.toEqual(table({ a: 'b' }));
});

it('errors quote the plain namespace', () => {
  const error = (namespace: string) => ({
    kind: 'Status',
    message: `namespaces "${namespace}" not found`,
    details: { kind: 'namespaces', name: namespace },
  });
  expect(back(one, error('d.clusterspace.m1'))).toEqual(error('d'));
});
