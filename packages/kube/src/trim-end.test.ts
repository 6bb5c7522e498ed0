import { expect, it } from 'vitest';
import { withoutEnding } from './trim-end.ts';

it('takes away all that is at the end, and nothing else', () => {
  const isSlash = (sign: string) => sign === '/';
  expect(['/a/b//', 'a', '', '///'].map((text) => withoutEnding(text, isSlash))).toEqual(['/a/b', 'a', '', '']);
});
