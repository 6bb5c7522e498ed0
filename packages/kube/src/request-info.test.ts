import { describe, expect, it } from 'vitest';
import { readRequestInfo, verbFor } from './request-info.ts';

const read = (method: string, url: string) => {
  const { pathname, searchParams } = new URL(url, 'http://x');
  return readRequestInfo(method, pathname.slice(1).split('/'), searchParams);
};

type Row = [
  method: string,
  url: string,
  verb: string,
  group: string,
  namespace: string | undefined,
  resource: string,
  subresource: string | undefined,
  name: string | undefined,
];

/** kube-apiserver's own table: endpoints/request/requestinfo_test.go. */
const resourceRequests: Row[] = [
  ['GET', '/api/v1/namespaces', 'list', '', undefined, 'namespaces', undefined, undefined],
  ['GET', '/api/v1/namespaces/other', 'get', '', 'other', 'namespaces', undefined, 'other'],
  ['GET', '/api/v1/namespaces/other/pods', 'list', '', 'other', 'pods', undefined, undefined],
  ['GET', '/api/v1/namespaces/other/pods/foo', 'get', '', 'other', 'pods', undefined, 'foo'],
  ['HEAD', '/api/v1/namespaces/other/pods/foo', 'get', '', 'other', 'pods', undefined, 'foo'],
  ['GET', '/api/v1/pods', 'list', '', undefined, 'pods', undefined, undefined],
  ['HEAD', '/api/v1/pods', 'list', '', undefined, 'pods', undefined, undefined],
  ['GET', '/api/v1/proxy/namespaces/other/pods/foo', 'proxy', '', 'other', 'pods', undefined, 'foo'],
  ['GET', '/api/v1/proxy/namespaces/other/pods/foo/sub/path', 'proxy', '', 'other', 'pods', undefined, 'foo'],
  ['GET', '/api/v1/watch/pods', 'watch', '', undefined, 'pods', undefined, undefined],
  ['GET', '/api/v1/pods?watch=true', 'watch', '', undefined, 'pods', undefined, undefined],
  ['GET', '/api/v1/pods?watch', 'watch', '', undefined, 'pods', undefined, undefined],
  ['GET', '/api/v1/pods?watch=false', 'list', '', undefined, 'pods', undefined, undefined],
  ['GET', '/api/v1/pods?watch=False', 'list', '', undefined, 'pods', undefined, undefined],
  ['GET', '/api/v1/watch/namespaces/other/pods', 'watch', '', 'other', 'pods', undefined, undefined],
  ['GET', '/api/v1/namespaces/other/pods?watch=1', 'watch', '', 'other', 'pods', undefined, undefined],
  ['GET', '/api/v1/namespaces/other/pods?watch=0', 'list', '', 'other', 'pods', undefined, undefined],
  ['GET', '/api/v1/namespaces/other/pods/foo/status', 'get', '', 'other', 'pods', 'status', 'foo'],
  ['GET', '/api/v1/namespaces/other/pods/foo/proxy/subpath', 'get', '', 'other', 'pods', 'proxy', 'foo'],
  ['PUT', '/api/v1/namespaces/other/finalize', 'update', '', 'other', 'namespaces', 'finalize', 'other'],
  ['PUT', '/api/v1/namespaces/other/status', 'update', '', 'other', 'namespaces', 'status', 'other'],
  ['PATCH', '/api/v1/namespaces/other/pods/foo', 'patch', '', 'other', 'pods', undefined, 'foo'],
  ['DELETE', '/api/v1/namespaces/other/pods/foo', 'delete', '', 'other', 'pods', undefined, 'foo'],
  ['POST', '/api/v1/namespaces/other/pods', 'create', '', 'other', 'pods', undefined, undefined],
  ['DELETE', '/api/v1/nodes', 'deletecollection', '', undefined, 'nodes', undefined, undefined],
  ['DELETE', '/api/v1/namespaces', 'deletecollection', '', undefined, 'namespaces', undefined, undefined],
  ['DELETE', '/api/v1/namespaces/other/pods', 'deletecollection', '', 'other', 'pods', undefined, undefined],
  ['POST', '/apis/extensions/v1/namespaces/other/pods', 'create', 'extensions', 'other', 'pods', undefined, undefined],
  ['OPTIONS', '/api/v1/pods', 'unknown', '', undefined, 'pods', undefined, undefined],
];

describe('readRequestInfo', () => {
  it.each(resourceRequests)(
    'reads %s %s as kube-apiserver does',
    (method, url, verb, group, namespace, resource, subresource, name) => {
      expect(read(method, url)).toMatchObject({ verb, group, namespace, resource, subresource, name });
    },
  );

  it.each(['/', '/api', '/apis', '/api/v1', '/apis/apps', '/apis/apps/v1', '/healthz', '/badprefix/v1/pods'])(
    '%s names no resource',
    (path) => {
      expect(read('GET', path)).toBeUndefined();
    },
  );

  it('keeps what follows a subresource as it came', () => {
    expect(read('GET', '/api/v1/namespaces/other/pods/foo/proxy/a/b/')?.rest).toEqual(['a', 'b', '']);
  });

  it('a list or watch with an exact metadata.name is a named one, as in kube-apiserver', () => {
    const nameIn = (selector: string, more = '') =>
      read('GET', `/api/v1/pods?fieldSelector=${encodeURIComponent(selector)}${more}`)?.name;
    expect(nameIn('metadata.name=foo')).toBe('foo');
    expect(nameIn('metadata.name==foo', '&watch=1')).toBe('foo');
    expect(nameIn('spec.nodeName=n,metadata.name=foo')).toBe('foo');
    expect(nameIn('metadata.name!=foo')).toBeUndefined();
    expect(nameIn('metadata.name=a/b')).toBeUndefined();
    expect(nameIn('metadata.name=..')).toBeUndefined();
    expect(nameIn('spec.nodeName=foo')).toBeUndefined();
  });
});

it.each(['constructor', '__proto__', 'toString'])('a method called %s is unknown', (method) => {
  expect(verbFor(method)).toBe('unknown');
});
