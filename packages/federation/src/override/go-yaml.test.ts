import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { compareKeys, goYamlText } from './go-yaml.ts';

/** What `JSONToYAML` of sigs.k8s.io/yaml v1.6.0 writes. */
const written = String.raw`"Y": "n"
amp: '&a'
bin: "0b1"
br: '[a]'
bs: a\b
com: a,b
dq: a "x"
e: 'a: b'
exc: '!a'
f: 0.1
gt: '>a'
h: 'a #b'
hex: "0xff"
inf: ".inf"
l:
- ""
- []
- {}
- a:
  - b
m: |-
  a
  b
nl: null
oct: "010"
"on": "no"
pipe: '|'
q: it's
sex: "1:30"
sp: ' a'
tab: "a\tb"
tr: 'a '
us: "1_000"
"y": "y"
`;

const value = {
  ...{ on: 'no', q: "it's", m: 'a\nb', sp: ' a', l: ['', [], {}, { a: ['b'] }], h: 'a #b', dq: 'a "x"', e: 'a: b' },
  ...{ nl: null, f: 0.1, oct: '010', hex: '0xff', us: '1_000', inf: '.inf', y: 'y', Y: 'n', sex: '1:30', bin: '0b1' },
  ...{ tr: 'a ', tab: 'a\tb', com: 'a,b', br: '[a]', pipe: '|', gt: '>a', exc: '!a', amp: '&a', bs: 'a\\b' },
};

describe('FED-7: YAML as Go writes it', () => {
  it('FED-7: quotes, lists and blocks', () => {
    expect(goYamlText(value)).toBe(written);
  });

  it('FED-7: integers of 64 bits keep their digits', () => {
    expect(goYamlText({ i: 9007199254740993n })).toBe('i: 9007199254740993\n');
  });

  it('FED-7: keys are in natural order', () => {
    const keys = ['_x', '1.5', '9', '10', 'A', 'a1', 'a01', 'a2', 'a11', 'a100', 'true', 'x', 'x-1', 'x.y', 'x1', 'é'];
    expect(keys.toReversed().sort(compareKeys)).toEqual(keys);
  });

  it('FED-7: what is written is read as the same', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }), (any) => {
        const same = JSON.parse(JSON.stringify(any));
        expect(parse(goYamlText(same), { version: '1.1', maxAliasCount: 0 })).toEqual(same);
      }),
    );
  });
});
