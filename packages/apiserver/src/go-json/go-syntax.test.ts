import { expect, it } from 'vitest';
import { goSyntaxFault } from './go-syntax.ts';

const end = 'unexpected end of JSON input';

it.each([
  ['', end],
  [' \n', end],
  ['{"a":', end],
  ['{"a"', end],
  ['[1,', end],
  ['"a', end],
  ['{"a":}', "invalid character '}' looking for beginning of value"],
  ['{a}', "invalid character 'a' looking for beginning of object key string"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 2}', "invalid character '2' after object key:value pair"],
  ['[1 2]', "invalid character '2' after array element"],
  ['{} x', "invalid character 'x' after top-level value"],
  ['nonsense', "invalid character 'o' in literal null (expecting 'u')"],
  ['tru', "invalid character ' ' in literal true (expecting 'e')"],
  ['\0\x01', "invalid character '\\x00' looking for beginning of value"],
  ['"\n"', "invalid character '\\n' in string literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u12g"', "invalid character 'g' in \\u hexadecimal character escape"],
  ['01', "invalid character '1' after top-level value"],
  ['-', "invalid character ' ' in numeric literal"],
  ['1.', "invalid character ' ' after decimal point in numeric literal"],
  ['1e+x', "invalid character 'x' in exponent of numeric literal"],
  ['ä', "invalid character 'Ã' looking for beginning of value"],
  ["'a'", "invalid character '\\'' looking for beginning of value"],
])('COMPAT-4: %j is no JSON, in the words of Go', (text, message) => {
  expect(goSyntaxFault(Buffer.from(text))).toBe(message);
});

it.each(['{}', ' [1, -0.5e+10, "a\\u00e4\\n", {"b": [null, true, false]}]\n', '0', '""'])('%s is', (text) => {
  expect(goSyntaxFault(Buffer.from(text))).toBeUndefined();
});
