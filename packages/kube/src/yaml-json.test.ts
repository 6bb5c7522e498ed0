import { describe, expect, it } from 'vitest';
import { jsonOfYaml } from './yaml-json.ts';

const read = (yaml: string): string => jsonOfYaml(yaml).toString();

/** What `YAMLToJSON` of sigs.k8s.io/yaml v1.6.0 makes of each. */
describe('LIST-9: YAML as Go reads it', () => {
  it.each([
    ['9223372036854775807', '9223372036854775807'],
    ['18446744073709551615', '18446744073709551615'],
    ['18446744073709551616', '18446744073709552000'],
    ['+18446744073709551615', '18446744073709552000'],
    ['12345678901234567890123', '1.2345678901234568e+22'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['-9223372036854775809', '-9223372036854776000'],
    ['0xffffffffffffffff', '18446744073709551615'],
    ['0x1ffffffffffffffff', '"0x1ffffffffffffffff"'],
    ['0777', '511'],
    ['0o777', '511'],
    ['08', '8'],
    ['-0b101', '-5'],
    ['1_000', '1000'],
    ['1e400', '"1e400"'],
    ['1e3', '1000'],
    ['.5', '0.5'],
    ['._5', '"._5"'],
    ['1:30', '"1:30"'],
    ['2001-01-01', '"2001-01-01"'],
    ['!!float 5', '5'],
    ['!!int "5"', '5'],
    ['9'.repeat(400), `"${'9'.repeat(400)}"`],
  ])('the number %s is %s', (text, json) => {
    expect(read(`a: ${text}`)).toBe(`{"a":${json}}`);
  });

  it.each(['.inf', '-.inf', '.nan'])('%s has no JSON', (text) => {
    expect(() => read(`a: ${text}`)).toThrow('unsupported value');
  });

  it('U+2028 and U+2029 stay in quotes', () => {
    for (const one of ['\u2028', '\u2029']) {
      expect(JSON.parse(read(`a: "x${one}y"\nb: ['x${one}y']`))).toEqual({ a: `x${one}y`, b: [`x${one}y`] });
    }
  });

  it.each(['\u2028', '\u2029', '\u0085', '\r'])('outside quotes %j ends a line, so that it is refused', (one) => {
    for (const text of [`# c${one}a: b`, `a: x${one}y`, `a: "x ${one} y"`, `a: |\n  x${one}  y\n`, `a: [x,${one}y]`]) {
      expect(() => read(text), JSON.stringify(text)).toThrow(expect.objectContaining({ code: 400 }));
    }
  });

  it.each(['? [a]\n: b', '? {a: b}\n: c', '~: x', 'null: x'])('a key that JSON has not is refused: %j', (text) => {
    expect(() => read(text)).toThrow('map key');
  });

  it('a block of text ends as the document ends', () => {
    expect(read('a: |\n  x')).toBe('{"a":"x"}');
    expect(read('a: |\n  x\n')).toBe('{"a":"x\\n"}');
    expect(read('a: >\n  x\nb: |+\n  y')).toBe('{"a":"x\\n","b":"y"}');
  });

  it('LIMIT-2: what aliases make of little is refused before it is made', () => {
    const text = `a: &a ${'x'.repeat(100_000)}\nb: [${Array.from({ length: 900 }, () => '*a').join(',')}]`;
    expect(() => read(text)).toThrow('excessive aliasing');
  });
});
