import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { combineVersions, ownVersion, readVersion } from './versions.ts';

describe('RV-2: the version of a merged list', () => {
  it('is the vector of the specification', () => {
    const expected = 'eyJjbHVzdGVyMSI6IjEyMzQiLCJjbHVzdGVyMiI6IjU2NzgifQ';
    expect(
      combineVersions(
        new Map([
          ['cluster2', '5678'],
          ['cluster1', '1234'],
        ]),
      ),
    ).toBe(expected);
    expect(combineVersions(new Map())).toBe('e30');
  });

  it('has its keys sorted as text, also where they are numbers', () => {
    const text = Buffer.from(
      combineVersions(
        new Map([
          ['9', '1'],
          ['a', '2'],
          ['10', '3'],
        ]),
      ),
      'base64url',
    ).toString();
    expect(text).toBe('{"10":"3","9":"1","a":"2"}');
  });

  it('is read back as it was written, and does not depend on the order it was made in', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,6}[a-z0-9])?$/));
    fc.assert(
      fc.property(names, (clusters) => {
        const entries = clusters.map((name, index) => [name, String(index + 1)] as const);
        const text = combineVersions(new Map(entries));
        expect(combineVersions(new Map(entries.toReversed()))).toBe(text);
        expect(readVersion(text)).toEqual({ is: 'map', of: new Map(entries) });
      }),
    );
  });
});

it('no decimal could be read as a map', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d[\w-]{0,40}$/), (text) => {
      expect(() => JSON.parse(Buffer.from(text, 'base64url').toString())).toThrow(SyntaxError);
      expect(ownVersion(text, 'm1')).toBe(text);
    }),
  );
});

describe('a cluster whose initial objects were sent in part', () => {
  const text = combineVersions(
    new Map([
      ['m2', null],
      ['m1', '5'],
    ]),
  );

  it('is null, which no version is, and is read as such', () => {
    expect(Buffer.from(text, 'base64url').toString()).toBe('{"m1":"5","m2":null}');
    expect(readVersion(text)).toEqual({ is: 'map', of: new Map([['m1', '5']]), partlySent: 'm2' });
  });

  it('RV-5: has no version to write with', () => {
    expect([ownVersion(text, 'm1'), ownVersion(text, 'm2')]).toEqual(['5', undefined]);
  });
});

describe('RV-6: versions that clients send', () => {
  it('"" and "0" keep their meaning, a decimal is one object’s', () => {
    expect(readVersion('')).toEqual({ is: 'latest' });
    expect(readVersion('0')).toEqual({ is: 'any' });
    expect(readVersion('1234')).toEqual({ is: 'plain', version: '1234' });
  });

  it.each(['abc', '-1', '1.5', 'bnVsbA', 'WzFd', 'eyJhIjoxfQ', 'e30=', 'e3', '{}', ' 1'])(
    '%s is 400 and is named',
    (text) => {
      expect(() => readVersion(text)).toThrow(
        expect.objectContaining({ code: 400, message: expect.stringContaining(text) }),
      );
    },
  );
});
