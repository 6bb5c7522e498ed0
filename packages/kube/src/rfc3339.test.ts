import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRfc3339, rfc3339Millis } from './rfc3339.ts';

describe('a time in RFC 3339', () => {
  it.each([
    ['2026-01-01T00:00:00Z', 1_767_225_600_000],
    ['2026-01-01T00:00:00.123456Z', 1_767_225_600_123],
    ['2026-01-01T02:00:00+02:00', 1_767_225_600_000],
    ['2025-12-31T22:30:00-01:30', 1_767_225_600_000],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
  ])('%s', (text, millis) => {
    expect(rfc3339Millis(text)).toBe(millis);
  });

  it.each([
    '',
    'null',
    '2026',
    '2026-01-01',
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:00',
    'today',
  ])('%j is none, as in Go', (text) => {
    expect(parseRfc3339(text)).toBeUndefined();
  });

  it('is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(rfc3339Millis(date.toISOString())).toBe(date.getTime());
        },
      ),
    );
  });
});
