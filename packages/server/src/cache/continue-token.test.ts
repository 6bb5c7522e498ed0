import { describe, expect, test } from 'vitest';
import { continueToken, readContinueToken } from './continue-token.ts';

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('PAGE-2: continue tokens of the cache are those of kube-apiserver', () => {
  test('over all namespaces they begin behind namespace and name', () => {
    // As kube-apiserver 1.36 answered `limit=1` over all namespaces.
    const token = encoded({ v: 'meta.k8s.io/v1', rv: 1234, start: 'default/a\0' });
    expect(continueToken({ version: '1234', after: 'default/a' }, undefined)).toBe(token);
    expect(readContinueToken(token, undefined)).toEqual({ version: '1234', after: 'default/a' });
  });

  test('within a namespace they begin behind the name', () => {
    const token = encoded({ v: 'meta.k8s.io/v1', rv: 1234, start: 'a\0' });
    expect(continueToken({ version: '1234', after: 'default/a' }, 'default')).toBe(token);
    expect(readContinueToken(token, 'default')).toEqual({ version: '1234', after: 'default/a' });
  });

  // As kube-apiserver 1.36 answers `limit=1` where it lists from its own cache.
  test('a slash before the key means nothing', () => {
    const tokenOf = (start: string) => encoded({ v: 'meta.k8s.io/v1', rv: 1234, start });
    expect(readContinueToken(tokenOf('/a\0'), 'default')).toEqual({ version: '1234', after: 'default/a' });
    expect(readContinueToken(tokenOf('/default/a\0'), undefined)).toEqual({ version: '1234', after: 'default/a' });
  });

  test.each([
    ['a key that is no path', encoded({ v: 'meta.k8s.io/v1', rv: 1, start: '//a\0' })],
    ['one that leads out', encoded({ v: 'meta.k8s.io/v1', rv: 1, start: '../a\0' })],
    ['no JSON', 'bm90IGpzb24'],
    ['null', encoded(null)],
    ['another form', encoded({ v: 'meta.k8s.io/v2', rv: 1, start: 'a\0' })],
    ['no version, so that the list is inconsistent', encoded({ v: 'meta.k8s.io/v1', rv: -1, start: 'a\0' })],
    ['a version that is no number', encoded({ v: 'meta.k8s.io/v1', rv: '1', start: 'a\0' })],
    ['a start at a key', encoded({ v: 'meta.k8s.io/v1', rv: 1, start: 'a' })],
  ])('%s is left to the member', (_, token) => {
    expect(readContinueToken(token, undefined)).toBeUndefined();
  });

  test('a version that is no number has no token', () => {
    expect(continueToken({ version: 'abc', after: 'a' }, undefined)).toBeUndefined();
    expect(continueToken({ version: '9007199254740993', after: 'a' }, undefined)).toBeUndefined();
  });
});
