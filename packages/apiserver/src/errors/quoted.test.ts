import { expect, it } from 'vitest';
import { quoted } from './quoted.ts';

it.each([
  ['a "b" \\', '"a \\"b\\" \\\\"'],
  ['é😀', '"é😀"'],
  ['\n\t\u0007\v\0\u007f', '"\\n\\t\\a\\v\\x00\\x7f"'],
  ['\u2028\u00a0\u{e0001}', '"\\u2028\\u00a0\\U000e0001"'],
])('%j is quoted as Go does it', (text, shown) => {
  expect(quoted(text)).toBe(shown);
});
