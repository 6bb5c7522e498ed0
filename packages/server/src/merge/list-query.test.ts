import { describe, expect, it } from 'vitest';
import { combineVersions } from '../present/versions.ts';
import { initialListQuery, readListQuery } from './list-query.ts';
import { pageQuery } from './page-query.ts';
import { readSelection, withMetadata } from './selection.ts';

const map = combineVersions(
  new Map([
    ['m1', '11'],
    ['gone', '99'],
  ]),
);
const asked = (query: string, cluster = 'm1', token?: string) =>
  pageQuery(readListQuery(query).begin(cluster), 500, token).split('&');

describe('LIST-1: what a member is asked', () => {
  it('the client’s selectors byte for byte', () => {
    expect(asked('labelSelector=a%3Db&fieldSelector=x+y')).toEqual([
      'labelSelector=a%3Db',
      'fieldSelector=x+y',
      'limit=500',
    ]);
  });

  it('limit, timeout and pretty are between the client and us, however they are spelt', () => {
    expect(asked('limit=5&timeout=3s&pretty=true&%6cimit=1&resource%56ersion=0')).toEqual(['limit=500']);
  });

  it('a later page is named by its token alone', () => {
    const expected = ['labelSelector=a', 'limit=500', 'continue=a%2Bb%2Fc%3D'];
    const query = `resourceVersion=${map}&labelSelector=a`;
    expect(asked(query, 'm1', 'a+b/c=')).toEqual(expected);
    expect(pageQuery(readListQuery(query).after('a+b/c='), 500).split('&')).toEqual(expected);
  });

  it('PAGE-1: one version and no other', () => {
    expect(pageQuery(readListQuery('').at('7', 3), 3)).toBe('limit=3&resourceVersion=7&resourceVersionMatch=Exact');
    expect(pageQuery(readListQuery('').at(''), 3)).toBe('limit=3');
  });
});

describe('CACHE-7: which state of a member is requested', () => {
  const plain = readSelection('', new Set());

  it.each([
    ['', { is: 'latest' }],
    ['resourceVersion=', { is: 'latest' }],
    ['resourceVersion=0', { is: 'any' }],
    ['resourceVersion=0&resourceVersionMatch=NotOlderThan', { is: 'any' }],
    // One object's: of no use for a list of all, which is as new as can be.
    ['resourceVersion=1234', { is: 'latest' }],
    [`resourceVersion=${map}`, { is: 'not-older', version: '11' }],
    [`resourceVersion=${map}&limit=5`, { is: 'exact', version: '11' }],
    [`resourceVersion=${map}&limit=5&resourceVersionMatch=NotOlderThan`, { is: 'not-older', version: '11' }],
    [`resourceVersion=${map}&resourceVersionMatch=Exact`, { is: 'exact', version: '11' }],
    // The token of a later page has its own version.
    ['resourceVersion=0&continue=x', { is: 'latest' }],
  ])('%s', (query, at) => {
    expect(readListQuery(query).begin('m1').at).toEqual(at);
  });

  it('a cluster that the map does not name is read as it is now', () => {
    expect(readListQuery(`resourceVersion=${map}`).begin('new').at).toEqual({ is: 'latest' });
  });

  it('before a watch’s events all there is, as old as the watch allows', () => {
    const of = new Map([['m1', '11']]);
    expect(initialListQuery({ is: 'any' }, plain).begin('m1')).toMatchObject({ limit: undefined, at: { is: 'any' } });
    expect(initialListQuery({ is: 'latest' }, plain).begin('m1').at).toEqual({ is: 'latest' });
    expect(initialListQuery({ is: 'map', of }, plain).begin('m1').at).toEqual({ is: 'not-older', version: '11' });
  });

  it('where rows must bring their metadata, nothing else is requested of their objects', () => {
    const { includeObject, ...selection } = readSelection('a=b&includeObject=None&c=d', new Set());
    expect(includeObject).toBe('None');
    expect(withMetadata({ includeObject, ...selection })).toEqual({
      ...selection,
      text: 'a=b&c=d',
      includeObject: undefined,
    });
  });

  it('selectors are known beside the client’s own words', () => {
    const query = 'labelSelector=a%3Db&fieldSelector=x+y&includeObject=None&limit=5&other=1';
    expect(readListQuery(query).begin('m1').selection).toEqual({
      text: 'labelSelector=a%3Db&fieldSelector=x+y&includeObject=None&other=1',
      labelSelector: 'a=b',
      fieldSelector: 'x y',
      includeObject: 'None',
    });
  });
});

describe('PAGE-1: the client’s limit', () => {
  it.each([
    ['limit=3', 3],
    ['limit=%2B3', 3],
    ['limit=0', undefined],
    ['limit=-3', undefined],
    ['', undefined],
    // kube-apiserver answers that from its cache, all of it
    ['limit=3&resourceVersion=0', undefined],
  ])('%s is %s', (query, limit) => {
    expect(readListQuery(query).limit).toBe(limit);
  });

  it.each([
    ['limit=', 'strconv.ParseInt: parsing "": invalid syntax'],
    ['limit=a', 'strconv.ParseInt: parsing "a": invalid syntax'],
    ['limit=99999999999999999999', 'strconv.ParseInt: parsing "99999999999999999999": value out of range'],
  ])('%s is 400 in kube-apiserver’s words', (query, message) => {
    expect(() => readListQuery(query)).toThrow(expect.objectContaining({ code: 400, message }));
  });
});

describe('RV-6: versions of a merged list', () => {
  it('each cluster is asked for its own entry, not older than', () => {
    expect(asked(`resourceVersion=${map}`)).toContain('resourceVersion=11');
    expect(asked(`resourceVersion=${map}`)).toContain('resourceVersionMatch=NotOlderThan');
    expect(asked(`resourceVersion=${map}&resourceVersionMatch=Exact`)).toContain('resourceVersionMatch=Exact');
  });

  it.each([
    '',
    'resourceVersion=',
    'resourceVersion=0',
    'resourceVersion=1234',
    'resourceVersion=1234&resourceVersionMatch=NotOlderThan',
  ])('%j counts as the newest', (query) => {
    expect(asked(query)).toEqual(['limit=500']);
  });

  it('a limit and a version without a match mean just this version', () => {
    expect(asked(`resourceVersion=${map}&limit=5`)).toContain('resourceVersionMatch=Exact');
    expect(asked(`resourceVersion=${map}&limit=5&resourceVersionMatch=NotOlderThan`)).toContain(
      'resourceVersionMatch=NotOlderThan',
    );
  });

  it('a cluster without an entry counts as the newest, which Exact cannot be', () => {
    expect(asked(`resourceVersion=${map}`, 'new')).toEqual(['limit=500']);
    expect(readListQuery(`resourceVersion=${map}`).lacks('new')).toBe(false);
    const exact = readListQuery(`resourceVersion=${map}&resourceVersionMatch=Exact`);
    expect([exact.lacks('m1'), exact.lacks('new')]).toEqual([false, true]);
  });

  it('a cluster that was sent in part counts as one without an entry', () => {
    const partly = combineVersions(
      new Map([
        ['m1', '5'],
        ['m2', null],
      ]),
    );
    expect(asked(`resourceVersion=${partly}&resourceVersionMatch=NotOlderThan`, 'm2')).toEqual(['limit=500']);
    expect(asked(`resourceVersion=${partly}&limit=5`, 'm2')).toEqual(['limit=500']);
    const exact = readListQuery(`resourceVersion=${partly}&resourceVersionMatch=Exact`);
    expect([exact.lacks('m1'), exact.lacks('m2')]).toEqual([false, true]);
  });

  it('Exact is 410 for a decimal: it names no cluster', () => {
    expect(() => readListQuery('resourceVersion=1234&resourceVersionMatch=Exact')).toThrow(
      expect.objectContaining({ code: 410, reason: 'Expired' }),
    );
  });

  it.each([
    [
      'resourceVersionMatch=Exact',
      'resourceVersionMatch is forbidden unless resourceVersion is provided',
      'FieldValueForbidden',
    ],
    [
      'resourceVersionMatch=Exact&resourceVersion=0',
      'resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
      'FieldValueForbidden',
    ],
    [
      'resourceVersionMatch=Some&resourceVersion=1',
      'Unsupported value: "Some": supported values: "Exact", "NotOlderThan", ""',
      'FieldValueNotSupported',
    ],
    [
      'resourceVersionMatch=Exact&resourceVersion=1&continue=x',
      'resourceVersionMatch is forbidden when continue is provided',
      'FieldValueForbidden',
    ],
  ])('%s is 422 in kube-apiserver’s words', (query, message, reason) => {
    expect(() => readListQuery(query)).toThrow(
      expect.objectContaining({
        code: 422,
        message: expect.stringContaining(message),
        details: expect.objectContaining({
          kind: 'ListOptions',
          causes: [expect.objectContaining({ reason, field: 'resourceVersionMatch' })],
        }),
      }),
    );
  });

  it('sendInitialEvents is 422, whatever its value', () => {
    expect(() => readListQuery('sendInitialEvents=false')).toThrow(
      expect.objectContaining({
        code: 422,
        message:
          'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
      }),
    );
  });

  it('all faults are reported at once', () => {
    const fault = () => readListQuery('resourceVersionMatch=x&sendInitialEvents=true');
    expect(fault).toThrow(
      / is invalid: \[resourceVersionMatch: Forbidden: .*, .* Unsupported .*, sendInitialEvents: .*\]$/,
    );
  });

  it('a version beside continue is 400; "0" is none', () => {
    const message = 'specifying resource version is not allowed when using continue';
    for (const version of ['1', map, 'abc']) {
      expect(() => readListQuery(`continue=x&resourceVersion=${version}`).refuseVersionBesideToken()).toThrow(
        expect.objectContaining({ code: 400, message }),
      );
    }
    const allowed = readListQuery('continue=x&resourceVersion=0&limit=3');
    expect(allowed).toMatchObject({ continueToken: 'x', limit: 3 });
    allowed.refuseVersionBesideToken();
  });

  it('what is neither a decimal nor a map is 400', () => {
    expect(() => readListQuery('resourceVersion=abc')).toThrow(expect.objectContaining({ code: 400 }));
  });
});

describe('LIST-1: the client’s timeout', () => {
  it.each([
    ['timeout=32s', 32_000],
    ['timeout=1m30s', 90_000],
    ['timeout=1.5s', 1_500],
    ['timeout=250ms', 250],
    ['timeout=0s', undefined],
    ['timeout=0', undefined],
    ['timeout=', undefined],
    ['', undefined],
  ])('%s is %s ms', (query, timeout) => {
    expect(readListQuery(query).begin('m1').timeout).toBe(timeout);
  });

  it.each(['abc', '5', 's', '5s!', '5s 5s'])('%s is 400 and is named', (text) => {
    expect(() => readListQuery(`timeout=${text}`)).toThrow(
      expect.objectContaining({ code: 400, message: expect.stringContaining(text) }),
    );
  });
});
