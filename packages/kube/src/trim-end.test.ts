import { expect, it } from 'vitest';
import { withoutEnding } from './trim-end.ts';

it('removes the whole end, and nothing else', () => {
  const isSlash = (sign: string) => sign === '/';
  expect(['/a/b//', 'a', '', '///'].map((text) => withoutEnding(text, isSlash))).toEqual(['/a/b', 'a', '', '']);
});
