import { describe, expect, it } from 'vitest';
import { yamlText } from './yaml-text.ts';

/** Bytes, one for each character. */
const read = (bytes: string): string => yamlText(Buffer.from(bytes, 'latin1'));

/** What `YAMLToJSON` of sigs.k8s.io/yaml v1.6.0 returns for each. */
describe('LIST-9: the bytes of YAML as Go reads them', () => {
  it.each([
    ['{"a":[\xeex"]}', 'invalid trailing UTF-8 octet'],
    ['a: \xff', 'invalid leading UTF-8 octet'],
    ['a: \xbf', 'invalid leading UTF-8 octet'],
    ['a: \xf8\x88\x80\x80\x80', 'invalid leading UTF-8 octet'],
    ['{"a":"\xff"}', 'invalid leading UTF-8 octet'],
    ['a: \xc3(', 'invalid trailing UTF-8 octet'],
    ['a: \xe2\x82', 'incomplete UTF-8 octet sequence'],
    ['a: \xc0\xaf', 'invalid length of a UTF-8 sequence'],
    ['a: \xed\xa0\x80', 'invalid Unicode character'],
    ['a: \xf4\x90\x80\x80', 'invalid Unicode character'],
    ['a: \x7f\xff', 'control characters are not allowed'],
    ['a: \xff\x7f', 'invalid leading UTF-8 octet'],
    ['{"a":"\x7f"}', 'control characters are not allowed'],
    ['a: \0', 'control characters are not allowed'],
    ['a: "\x07"', 'control characters are not allowed'],
  ])('%j is refused: %s', (bytes, why) => {
    expect(() => read(bytes)).toThrow(
      expect.objectContaining({ code: 400, message: `error converting YAML to JSON: yaml: ${why}` }),
    );
  });

  it('all else is what it is', () => {
    const text = 'a: "\t x\u0085\u00a0\ud7ff\ue000\u{10ffff}"\r\n';
    expect(yamlText(Buffer.from(text))).toBe(text);
  });
});
