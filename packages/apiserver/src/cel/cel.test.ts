import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';
import { estimateCost } from './cost/estimate.ts';
import type { Environment } from './environment.ts';
import { functions } from './library/all.ts';
import { CostLimitError, Meter } from './meter.ts';
import * as types from './types.ts';
import { PlainList, PlainMap, type Value } from './values.ts';

const environment: Environment = {
  variables: new Map([
    ['x', types.int],
    ['text', types.string],
    ['numbers', types.list(types.int)],
    ['map', types.map(types.string, types.int)],
    ['any', types.dyn],
    ['self', types.struct('self')],
  ]),
  fieldsOf: (name) => (name === 'self' ? new Map([['name', types.string]]) : undefined),
  functions,
};

const variables = new Map<string, Value>([
  ['x', 2n],
  ['text', 'hello'],
  ['numbers', new PlainList([1n, 2n, 3n])],
  ['map', new PlainMap([['a', 1n]])],
  ['any', 'dynamic'],
  ['self', new PlainMap([['name', 'me']])],
]);

const meter = () => new Meter(1_000_000);
const evaluated = (source: string): Value => compile(source, environment).program(variables, meter());

describe('expressions', () => {
  it.each([
    '1 + 2 * 3 == 7 && (1 + 2) * 3 == 9',
    '7 / 2 == 3 && -7 / 2 == -3 && 7 % 4 == 3 && 7.0 / 2.0 == 3.5',
    "'a' + 'b' == 'ab' && 'a' < 'b' && !('b' < 'a')",
    "r'\\d' == '\\\\d' && '\\u00e9' == 'é' && b'\\xff' != b'a' && size('😀') == 1",
    'x == 2 && x in numbers && !(4 in numbers)',
    'numbers.all(n, n > 0) && numbers.exists(n, n == 2) && numbers.exists_one(n, n > 2)',
    'numbers.map(n, n * 2) == [2, 4, 6] && numbers.filter(n, n > 1) == [2, 3]',
    'numbers.map(n, n > 1, n + 1) == [3, 4]',
    "map.a == 1 && map['a'] == 1 && has(map.a) && !has(map.b) && 'a' in map",
    'false && 1 / 0 == 1 || true',
    '1 / 0 == 1 || true',
    'numbers.exists(n, 2 / (n - 1) == 2)',
    'type(x) == int && type(any) == string && type(1.0) == double && type([]) == list',
    "int('5') == 5 && string(5) == '5' && double('1.5') == 1.5 && bool('true') && uint(5) == 5u",
    "any == 'dynamic' && dyn(1) == 1.0",
    "text.startsWith('he') && text.endsWith('lo') && text.contains('ell') && text.matches('^h.*o$')",
    "text.charAt(1) == 'e' && text.indexOf('l') == 2 && text.lastIndexOf('l') == 3 && text.substring(1, 3) == 'el'",
    "'a,b,c'.split(',') == ['a', 'b', 'c'] && ['a', 'b'].join('-') == 'a-b' && 'aaa'.replace('a', 'b', 2) == 'bba'",
    "' a '.trim() == 'a' && 'aB'.lowerAscii() == 'ab' && 'aB'.upperAscii() == 'AB'",
    "'%s is %d, %.2f, %x, %b'.format([dyn('a'), dyn(5), dyn(1.5), dyn(255), dyn(5)]) == 'a is 5, 1.50, ff, 101'",
    "'abc123'.find('[0-9]+') == '123' && 'a1b2'.findAll('[0-9]') == ['1', '2'] && 'a1b2'.findAll('[0-9]', 1) == ['1']",
    'numbers.isSorted() && numbers.sum() == 6 && numbers.max() == 3 && numbers.min() == 1 && numbers.indexOf(3) == 2',
    'sets.contains([1, 2], [1]) && sets.equivalent([1, 2], [2, 1, 1]) && !sets.intersects([1], [2])',
    '[3, 1, 2].sort() == [1, 2, 3] && [1, 1, 2].distinct() == [1, 2] && [1, 2, 3].slice(1, 3) == [2, 3]',
    "['bb', 'a'].sortBy(s, size(s)) == ['a', 'bb'] && [[1], [2, 3]].flatten() == [1, 2, 3]",
    'lists.range(3) == [0, 1, 2] && [1, 2].reverse() == [2, 1]',
    "optional.of(1).value() == 1 && optional.none().orValue(5) == 5 && map.?b.orValue(7) == 7 && map[?'a'].hasValue()",
    'map.?a.optMap(v, v + 1).value() == 2 && numbers[?9].or(optional.of(4)).value() == 4',
    '[?optional.none(), ?optional.of(1)] == [1]',
    "duration('1h') > duration('59m') && timestamp('2024-01-02T03:04:05Z').getFullYear() == 2024",
    "timestamp('2024-01-01T00:00:00Z') + duration('24h') == timestamp('2024-01-02T00:00:00Z')",
    "timestamp('2024-07-01T00:00:00Z').getHours('Europe/Berlin') == 2 && duration('90s').getMinutes() == 1",
    "url('https://a.com:80/p?x=1').getHost() == 'a.com:80' && url('https://a.com/p').getScheme() == 'https' && !isURL('a b')",
    "quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('500m').asApproximateFloat() == 0.5 && isQuantity('1Ki')",
    "quantity('50k').add(quantity('20k')) == quantity('70k') && sign(quantity('1').sub(1)) == 0",
    "ip('10.0.0.1').family() == 4 && isIP('::1') && ip.isCanonical('::1') && !ip.isCanonical('::0:1')",
    "cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && cidr('10.0.0.5/8').masked() == cidr('10.0.0.0/8')",
    "!format.dns1123Label().validate('abc').hasValue() && format.dns1123Label().validate('A').hasValue()",
    "semver('1.2.3').isLessThan(semver('1.10.0')) && isSemver('1.0.0-a') && semver('v1.2', true).minor() == 2",
    "[1, 2].all(i, v, i < v) && {'a': 1}.exists(k, v, k == 'a' && v == 1)",
    "{'a': 1}.transformMap(k, v, v + 1) == {'a': 2} && [1, 2].transformList(i, v, i + v) == [1, 3]",
    "x > 1 ? text == 'hello' : false",
    'self.name == "me" && has(self.name)',
    '1 < 2.5 && 2u > 1 && 1 == 1',
    "string(duration('90s')) == '90s' && string(timestamp('2024-01-01T00:00:00Z')) == '2024-01-01T00:00:00Z'",
    'strings.quote(\'a"b\') == \'"a\\\\"b"\'',
  ])('%s', (source) => {
    expect(evaluated(source)).toBe(true);
  });

  it.each([
    ['1 / 0 == 1', 'division by zero'],
    ['9223372036854775807 + x > 0', 'integer overflow'],
    ["map['b'] == 1", 'no such key: b'],
    ['numbers[5] == 1', 'index out of bounds: 5'],
    ["int('a') == 1", "type conversion error from 'string' to 'int'"],
    ['any + 1 == 2', 'no such overload'],
    ["text.matches('(' + text)", 'error parsing regexp: missing closing ): `(hello`'],
    [
      "sign(quantity('x')) == 1",
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
  ])('%s fails: %s', (source, message) => {
    expect(() => evaluated(source)).toThrow(message);
  });

  it.each([
    ['y == 1', "ERROR: <input>:1:1: undeclared reference to 'y' (in container '')\n | y == 1\n | ^"],
    [
      "x == 'a'",
      "ERROR: <input>:1:3: found no matching overload for '_==_' applied to '(int, string)'\n | x == 'a'\n | ..^",
    ],
    ['self.nothing', "ERROR: <input>:1:5: undefined field 'nothing'\n | self.nothing\n | ....^"],
    ["text.matches('(')", "ERROR: <input>:1:14: invalid matches argument\n | text.matches('(')\n | .............^"],
    ["duration('1x') == duration('1s')", 'invalid duration argument'],
    ["[1, 'a'] == []", "expected type 'int' but found 'string'"],
    ['x.all(i, i > 0)', "expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"],
    ['text.size(1)', "found no matching overload for 'size' applied to 'string.(int)'"],
    ['x +', 'Syntax error: mismatched input'],
    ['x == 1 && text', "expected type 'bool' but found 'string'"],
    ['numbers.map(1, 2)', 'argument is not an identifier'],
    ['for == 1', 'reserved identifier: for'],
  ])('%s is refused: %s', (source, message) => {
    expect(() => compile(source, environment)).toThrow(message);
  });

  it('what costs too much is ended', () => {
    const { program } = compile('lists.range(1000).all(i, lists.range(1000).all(j, i + j >= 0))', environment);
    expect(() => program(variables, meter())).toThrow(CostLimitError);
  });

  it('costs are counted as kube-apiserver does', () => {
    const counted = meter();
    compile('self.name == "me"', environment).program(variables, counted);
    expect(counted.cost).toBe(3);
  });

  it('costs are estimated from the largest that values may be', () => {
    const { checked } = compile('numbers.all(n, n > 0)', environment);
    const sizeAt = () => ({ min: 0, max: 10 });
    // The list, the accumulator at the end, and per iteration: its test, its name, the condition.
    expect(estimateCost(checked, sizeAt).max).toBe(1 + 1 + 10 * (2 + 1 + 2));
  });
});
