import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonBytesError } from './json-bytes.ts';
import { oneLine } from './one-line.ts';

const of = (text: string) => oneLine(Buffer.from(text)).toString();

describe('SEC-1: an event is one line', () => {
  it('line ends between tokens are blanks', () => {
    expect(of('{\n"a":\r\n[1,\n"b"]\r}\n')).toBe('{ "a":  [1, "b"] } ');
  });

  it('what has none is the very same bytes', () => {
    for (const text of ['{"a":"b\\n\\r"}', '{"a":"dash – and \u2028"}', '{"a":"\x85"}', '{\t"a": 1}']) {
      const json = Buffer.from(text);
      expect(oneLine(json)).toBe(json);
    }
  });

  it('quotes and backslashes in strings are none of its ends', () => {
    expect(of('{"a\\"\\\\":"\\\\",\n"b":"\\""\n}')).toBe('{"a\\"\\\\":"\\\\", "b":"\\"" }');
  });

  it.each(['{"a":"b\nc"}', '{"a":"b\rc"}', '{"a":"\\\n"}', '{"a":[\u2028]}', '{"a":\u20291}', '{\n"a":\v1}', '{\n\0}'])(
    'what is no JSON is refused: %j',
    (text) => {
      expect(() => of(text)).toThrow(JsonBytesError);
    },
  );

  it.each(['\v', '\f', '\x1c', '\x1d', '\x1e', '\x85'])(
    '%j between tokens, where Python ends lines, is refused',
    (end) => {
      expect(() => of(`{"a":[${end}{}${end}]}`)).toThrow(JsonBytesError);
    },
  );

  it('however it is indented, it is the same value in one line', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('\n', '\t', '  '), (value, indent) => {
        const line = of(JSON.stringify([value], null, indent));
        expect(line).not.toMatch(/[\n\r]/);
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify([value])));
      }),
    );
  });
});
