import { describe, expect, it } from 'vitest';
import { readListQuery } from './list-query.ts';
import { combineVersions } from './versions.ts';

const map = combineVersions(
  new Map([
    ['m1', '11'],
    ['gone', '99'],
  ]),
);
const forMember = (query: string, cluster = 'm1', token?: string) =>
  readListQuery(query).forMember(cluster, token).split('&');

describe('LIST-1: what a member is asked', () => {
  it('the client’s selectors byte for byte, in pages of 500', () => {
    expect(forMember('labelSelector=a%3Db&fieldSelector=x+y')).toEqual([
      'labelSelector=a%3Db',
      'fieldSelector=x+y',
      'limit=500',
    ]);
  });

  it('limit, timeout and pretty are between the client and us, however they are spelt', () => {
    expect(forMember('limit=5&timeout=3s&pretty=true&%6cimit=1&resource%56ersion=0')).toEqual(['limit=500']);
  });

  it('a later page is named by its token alone', () => {
    expect(forMember(`resourceVersion=${map}&labelSelector=a`, 'm1', 'a+b/c=')).toEqual([
      'labelSelector=a',
      'limit=500',
      'continue=a%2Bb%2Fc%3D',
    ]);
  });
});

describe('RV-6: versions of a merged list', () => {
  it('each cluster is asked for its own entry, not older than', () => {
    expect(forMember(`resourceVersion=${map}`)).toContain('resourceVersion=11');
    expect(forMember(`resourceVersion=${map}`)).toContain('resourceVersionMatch=NotOlderThan');
    expect(forMember(`resourceVersion=${map}&resourceVersionMatch=Exact`)).toContain('resourceVersionMatch=Exact');
  });

  it.each([
    '',
    'resourceVersion=',
    'resourceVersion=0',
    'resourceVersion=1234',
    'resourceVersion=1234&resourceVersionMatch=NotOlderThan',
  ])('%j counts as the newest', (query) => {
    expect(forMember(query)).toEqual(['limit=500']);
  });

  it('a cluster without an entry counts as the newest; Exact is 410 there and for a decimal', () => {
    expect(forMember(`resourceVersion=${map}`, 'new')).toEqual(['limit=500']);
    for (const [query, cluster] of [
      [`resourceVersion=${map}`, 'new'],
      ['resourceVersion=1234', 'm1'],
    ] as const) {
      expect(() => forMember(`${query}&resourceVersionMatch=Exact`, cluster)).toThrow(
        expect.objectContaining({ code: 410, reason: 'Expired' }),
      );
    }
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

  it('what is neither a decimal nor a map is 400, and so is a token we never gave', () => {
    expect(() => readListQuery('resourceVersion=abc')).toThrow(expect.objectContaining({ code: 400 }));
    expect(() => readListQuery('continue=abc')).toThrow(expect.objectContaining({ code: 400 }));
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
    expect(readListQuery(query).timeout).toBe(timeout);
  });

  it.each(['abc', '5', 's', '5s!', '5s 5s'])('%s is 400 and is named', (text) => {
    expect(() => readListQuery(`timeout=${text}`)).toThrow(
      expect.objectContaining({ code: 400, message: expect.stringContaining(text) }),
    );
  });
});
