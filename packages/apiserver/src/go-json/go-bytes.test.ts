import { describe, expect, it } from 'vitest';
import { goBytes } from './go-bytes.ts';

describe('COMPAT-4: bytes as Go reads them', () => {
  it.each([
    ['', ''],
    ['AAEC', 'AAEC'],
    ['AA\nE\r\nC\n', 'AAEC'],
    ['AA=\n=\n', 'AA=='],
    ['AB==', 'AA=='],
    ['AAF=', 'AAE='],
  ])('%j', (text, bytes) => expect(goBytes(text)).toBe(bytes));

  // The errors of `base64.StdEncoding.DecodeString`.
  it.each([
    ['A', 0],
    ['AAE', 0],
    ['a/b/c', 4],
    ['a/b/cde', 4],
    ['AAECA\n', 5],
    ['A*==', 1],
    ['Bogus!', 5],
    ['=', 0],
    ['A===', 1],
    ['AA=', 3],
    ['AA=A', 2],
    ['AA==A', 4],
    ['AAE==', 4],
    ['AA=\n*', 3],
    ['AAECü', 4],
  ])('%j: at %d', (text, at) => expect(() => goBytes(text)).toThrow(`illegal base64 data at input byte ${at}`));
});
