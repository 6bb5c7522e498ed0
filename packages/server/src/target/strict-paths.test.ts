import { StatusError } from '@fleet/kube/status.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTarget } from './parse.ts';
import { wireUrl } from './target.ts';

const proxy = '/apis/cluster.karmada.io/v1alpha1/clusters';

const codeOf = (url: string): number => {
  try {
    parseTarget('GET', url);
    return 200;
  } catch (error) {
    if (error instanceof StatusError) return error.code;
    throw error;
  }
};

const dots = [
  '.',
  '..',
  '%2e',
  '%2E%2e',
  '.%2e',
  '%2E.',
  '..%2Fx',
  'x%2f..',
  '..%5Cx',
  '..\\x',
  '\\..\\',
  '%2e%2e%2f%2e%2e',
];

describe('URL-8: the interpreted part is strict', () => {
  it.each(dots)('a dot segment %s is 400 in every family', (segment) => {
    expect(codeOf(`/api/v1/namespaces/${segment}/pods`)).toBe(400);
    expect(codeOf(`/api/v1/namespaces/d/pods/${segment}`)).toBe(400);
    expect(codeOf(`/clusterspaces/${segment}/api/v1/pods`)).toBe(400);
    expect(codeOf(`/clusterspaces/member1/${segment}/api/v1/pods`)).toBe(400);
    expect(codeOf(`/clusterspaces/member1/api/v1/pods/${segment}/log`)).toBe(400);
    expect(codeOf(`${proxy}/member1/proxy/${segment}/healthz`)).toBe(400);
  });

  it.each(dots)('%s behind an opaque subresource is 400, too', (segment) => {
    expect(codeOf(`/api/v1/namespaces/d/pods/x.clusterspace.m/proxy/${segment}/y`)).toBe(400);
  });

  it.each([`${proxy}/member1/proxy/../../member2/proxy/api`, `${proxy}/member1/proxy/%2e%2e/%2e%2e/member2/proxy/api`])(
    'no way from one cluster to another: %s',
    (url) => {
      expect(codeOf(url)).toBe(400);
    },
  );

  it.each([
    '//api/v1/pods',
    '/api//v1/pods',
    '/api/v1/pods//',
    '/apis//',
    '/api/v1/namespaces//pods',
    '/clusterspaces//api/v1/pods',
    '/clusterspaces/member1//api/v1/pods',
  ])('an empty segment is 400: %s', (url) => {
    expect(codeOf(url)).toBe(400);
  });

  it('one slash at the end is none: it is read as kube-apiserver reads it, and forwarded as it came', () => {
    expect(parseTarget('GET', '/apis/')).toMatchObject({ place: { at: 'here' }, wire: { path: '/apis' } });
    const one = { place: { at: 'one', cluster: 'member1' }, wire: { path: '/apis/' } };
    expect(parseTarget('GET', '/clusterspaces/member1/apis/')).toMatchObject(one);
    expect(parseTarget('GET', '/api/v1/pods/')).toMatchObject({ ask: { verb: 'list', resource: 'pods' } });
    const proxied = parseTarget('GET', '/api/v1/namespaces/d/pods/x.clusterspace.m1/proxy/');
    expect(proxied.wire.path).toBe('/api/v1/namespaces/d/pods/x/proxy/');
  });

  it.each([
    '/api/v1/namespaces/a%2Fb/pods',
    '/api/v1/pods/a%2fb',
    '/api%2Fv1/pods',
    '/clusterspaces/a%2fb/api/v1/pods',
    `${proxy}/a%2Fb/proxy/api`,
    '/api/v1/%6eamespaces/d/pods/a%2Fb',
  ])('%%2F inside a segment is 400: %s', (url) => {
    expect(codeOf(url)).toBe(400);
  });

  it.each(['/api/v1/pods#x', '/api/v1/pods?a=b#x', 'http://other/api/v1/pods', '*', '', 'api/v1/pods'])(
    'a target that is no plain path is 400: %s',
    (url) => {
      expect(codeOf(url)).toBe(400);
    },
  );

  it.each(['/api/v1/pods/%', '/api/v1/pods/%zz', '/api/v1/pods/%ff', '/clusterspaces/%e0/api'])(
    'broken percent-encoding is 400: %s',
    (url) => {
      expect(codeOf(url)).toBe(400);
    },
  );

  it('ERR-4: whatever the URL, it is understood or refused with a 4xx', () => {
    const word = fc.constantFrom(
      'api',
      'apis',
      'v1',
      'namespaces',
      'clusterspaces',
      'pods',
      'all',
      'proxy',
      '%2e',
      '%ff',
      '%',
      '..',
      '',
      'x.clusterspace.y',
    );
    const pair = fc.constantFrom(
      'clusterspace=a',
      'partial=1',
      'partial',
      '%ff=1',
      '%',
      '&',
      'watch',
      'fieldSelector=%',
      '=',
      '%63lusterspace=b',
    );
    fc.assert(
      fc.property(
        fc.constantFrom('GET', 'POST', 'DELETE', 'OPTIONS'),
        fc.array(fc.oneof(word, fc.string())),
        fc.array(fc.oneof(pair, fc.string())),
        (method, segments, pairs) => {
          try {
            parseTarget(method, `/${segments.join('/')}?${pairs.join('&')}`);
          } catch (error) {
            expect(error).toBeInstanceOf(StatusError);
            expect([400, 404, 405]).toContain((error as StatusError).code);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('a letter that is percent-encoded changes nothing but the bytes', () => {
    const paths = [
      '/api/v1/namespaces/d/pods/x.clusterspace.member1/log',
      '/apis/apps/v1/deployments',
      '/api/v1/nodes/n.clusterspace.m',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.nat(), (path, position) => {
        const letters = [...path].flatMap((letter, index) => (/[a-z]/.test(letter) ? [index] : []));
        const at = letters[position % letters.length]!;
        const encoded = `${path.slice(0, at)}%${path.charCodeAt(at).toString(16)}${path.slice(at + 1)}`;
        // The root decides the family and is compared as it came.
        fc.pre(at > path.indexOf('/', 1));
        const [plain, same] = [parseTarget('GET', path), parseTarget('GET', encoded)];
        expect({ ...same, wire: undefined }).toEqual({ ...plain, wire: undefined });
        expect(decodeURIComponent(wireUrl(same.wire))).toBe(decodeURIComponent(wireUrl(plain.wire)));
      }),
    );
  });

  it('an encoded word is read before its subresource is', () => {
    const { ask } = parseTarget('GET', '/api/v1/%6eamespaces/d/pods/x.clusterspace.m/%6cog');
    expect(ask).toMatchObject({ namespace: 'd', resource: 'pods', name: 'x', subresource: 'log' });
  });

  it('a proxied tail without dot segments is forwarded as it came', () => {
    const byte = fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit: byte }), (tail) => {
        fc.pre(!/#/.test(tail) && !/(^|\/|\\|%2f|%5c)(\.|%2e){1,2}($|\/|\\|\?|%2f|%5c)/i.test(tail));
        fc.pre(!tail.endsWith('?'));
        expect(wireUrl(parseTarget('GET', `${proxy}/m/proxy/${tail}`).wire)).toBe(`/${tail}`);
      }),
    );
  });
});

describe('URL-8: dots that are left when a suffix is taken off', () => {
  it.each([
    ['GET', '/api/v1/namespaces/...clusterspace.m1/pods/x'],
    ['DELETE', '/api/v1/namespaces/a/pods/...clusterspace.m1'],
    ['DELETE', '/api/v1/namespaces/a/pods/..clusterspace.m1'],
    ['GET', '/api/v1/namespaces/a/pods/%2E%2E.clusterspace.m1/exec'],
    ['GET', '/clusterspaces/m1/api/v1/namespaces/...clusterspace.m1/pods/x'],
    ['GET', '/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy/api/v1/namespaces/a/pods/...clusterspace.m1'],
  ])('%s %s is 400', (method, url) => {
    expect(() => parseTarget(method, url)).toThrow(expect.objectContaining({ code: 400 }));
  });
});
