/** Rules in CEL, each with a value that keeps it and one that does not. */

import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';

export interface RuleCase {
  /** Of `self`. */
  schema: JsonObject;
  rule: string;
  good: JsonValue;
  bad: JsonValue;
  /** `message`, `reason` and so on. */
  more?: JsonObject;
}

const text: JsonObject = { type: 'string', maxLength: 64 };
const int: JsonObject = { type: 'integer' };
const number: JsonObject = { type: 'number' };
const texts: JsonObject = { type: 'array', maxItems: 8, items: text };
const ints: JsonObject = { type: 'array', maxItems: 8, items: int };
const byName: JsonObject = { type: 'object', maxProperties: 8, additionalProperties: int };
const pair: JsonObject = {
  type: 'object',
  properties: { a: int, b: int, name: text, 'with-dash': int, namespace: text, 'a.b/c': int, x__y: int },
};

const on = (schema: JsonObject, rule: string, good: JsonValue, bad: JsonValue, more?: JsonObject): RuleCase => ({
  schema,
  rule,
  good,
  bad,
  ...(more ? { more } : {}),
});

export const ruleCases: readonly RuleCase[] = [
  on(int, 'self > 5', 6, 5),
  on(int, 'self % 2 == 0', 4, 3),
  on(int, 'self / 2 == 3 && -self < 0', 7, 9),
  on(int, '10 / self == 5', 2, 0),
  on(int, 'self + 9223372036854775807 > 0', 0, 1),
  on(int, 'double(self) / 2.0 == 1.5', 3, 4),
  on(number, 'self < 1.5', 1.25, 2),
  on(number, 'self == 1.0', 1, 2.5),
  on({ type: 'boolean' }, 'self', true, false),
  on(text, "self.startsWith('a')", 'abc', 'xyz'),
  on(text, "self.endsWith('c')", 'abc', 'xyz'),
  on(text, "self.contains('b')", 'abc', 'xyz'),
  on(text, "self.matches('^[a-z]+$')", 'abc', 'ABC'),
  on(text, "self.matches('(?i)^ABC$')", 'abc', 'xyz'),
  on(text, 'size(self) < 4', 'äöü', 'äöüß'),
  on(text, 'self.lowerAscii() == self && self.upperAscii() != self', 'abc', 'Abc'),
  on(text, "self.split(',').size() == 2", 'a,b', 'a,b,c'),
  on(text, "self.replace('a', 'b') == 'bbb'", 'aba', 'abc'),
  on(text, "self.substring(1, 2) == 'b'", 'abc', 'acb'),
  on(text, "self.substring(0, 3) == 'abc'", 'abcd', 'ab'),
  on(text, "self.charAt(0) == 'a' && self.indexOf('c') == 2", 'abc', 'acb'),
  on(text, 'self.trim() == self', 'a', ' a'),
  on(text, "self.find('[0-9]+') == '12'", 'a12b', 'a13b'),
  on(text, "self.findAll('[0-9]').size() == 2", 'a1b2', 'a1'),
  on(text, "'%s!'.format([self]) == 'a!'", 'a', 'b'),
  on(text, 'strings.quote(self) == \'"a"\'', 'a', 'b'),
  on(text, "self in ['a', 'b']", 'a', 'c'),
  on(text, 'int(self) == 5', '5', 'five'),
  on(text, "self < 'b'", 'a', 'c'),
  on(
    text,
    "isURL(self) && url(self).getHostname() == 'a.com' && url(self).getPort() == '80'",
    'https://a.com:80/p',
    'https://b.com',
  ),
  on(text, "url(self).getQuery()['x'] == ['1', '2']", 'https://a.com/?x=1&x=2', 'https://a.com/'),
  on(text, "url(self).getScheme() == 'https' && url(self).getEscapedPath() == '/a%20b'", 'https://h/a%20b', 'a b'),
  on(text, "quantity(self).isGreaterThan(quantity('1Gi'))", '2Gi', '1G'),
  on(text, 'isQuantity(self)', '1.5Ki', 'one'),
  on(text, "quantity(self).add(quantity('1')).compareTo(quantity('3')) == 0", '2', '3'),
  on(text, 'quantity(self).asInteger() == 2000', '2k', '1m'),
  on(text, 'isIP(self) && ip(self).family() == 4', '10.0.0.1', '::1'),
  on(text, 'ip(self).isLoopback()', '127.0.0.1', '10.0.0.1'),
  on(text, "ip(self) == ip('::1')", '0:0::1', 'no ip'),
  on(text, 'ip.isCanonical(self)', '::1', '::0:1'),
  on(text, "isCIDR(self) && cidr(self).containsIP('10.1.2.3')", '10.0.0.0/8', '11.0.0.0/8'),
  on(text, "cidr(self).prefixLength() == 8 && cidr('10.0.0.0/8').containsCIDR(self)", '10.0.0.0/8', '10.0.0.0/7'),
  on(text, "cidr(self).ip() == ip('10.0.0.0')", '10.0.0.0/8', '10.0.0.0'),
  on(text, '!format.dns1123Label().validate(self).hasValue()', 'a-b', 'A_B'),
  on(text, "!format.named('uuid').value().validate(self).hasValue()", '123e4567-e89b-12d3-a456-426614174000', 'x'),
  on(text, "isSemver(self) && semver(self).isLessThan(semver('2.0.0'))", '1.2.3', '2.0.0'),
  on(text, 'semver(self).major() == 1', '1.0.0', '1.0'),
  on(
    { type: 'string', format: 'date-time' },
    'self.getFullYear() == 2024',
    '2024-02-03T04:05:06Z',
    '2025-02-03T04:05:06Z',
  ),
  on({ type: 'string', format: 'date' }, "self < timestamp('2024-06-01T00:00:00Z')", '2024-01-01', '2024-12-01'),
  on({ type: 'string', format: 'duration' }, "self <= duration('1h')", '30m', '2h'),
  on({ type: 'string', format: 'duration' }, 'self.getMinutes() == 90', '1h30m', '10s'),
  on({ type: 'string', format: 'byte', maxLength: 64 }, "self == b'abc'", 'YWJj', 'eHl6'),
  on(
    { 'x-kubernetes-int-or-string': true, maxLength: 16 },
    "type(self) == int ? self > 1 : self.endsWith('%')",
    '50%',
    1,
  ),
  on({ 'x-kubernetes-int-or-string': true, maxLength: 16 }, 'self + 1 == 2', 1, 'a'),
  on(texts, "self.all(x, x.startsWith('a'))", ['a', 'ab'], ['a', 'b']),
  on(texts, "self.exists(x, x == 'a')", ['b', 'a'], ['b']),
  on(texts, "self.exists_one(x, x == 'a')", ['a', 'b'], ['a', 'a']),
  on(texts, "self.join('-') == 'a-b'", ['a', 'b'], ['a', 'c']),
  on(texts, 'self.map(x, size(x)).sum() < 4', ['a', 'b'], ['aa', 'bbb']),
  on(texts, "sets.contains(self, ['a'])", ['a', 'b'], ['b']),
  on(texts, 'self.distinct().size() == self.size()', ['a', 'b'], ['a', 'a']),
  on(texts, "self.sort() == ['a', 'b']", ['b', 'a'], ['b', 'c']),
  on(texts, "self.sortBy(x, size(x))[0] == 'a'", ['bb', 'a'], ['bb', 'ccc']),
  on(ints, 'self.isSorted() && self.min() >= 1 && self.max() < 10', [1, 2], [2, 1]),
  on(ints, 'self.min() == 1', [2, 1], []),
  on(ints, 'self.filter(x, x > 1).size() == 2', [1, 2, 3], [1, 2]),
  on(ints, 'self[2] == 3', [1, 2, 3], [1, 2]),
  on(ints, 'self[?2].orValue(3) == 3', [1, 2], [1, 2, 4]),
  on(ints, 'self.slice(0, 2) == [1, 2] && self.reverse()[0] == 3', [1, 2, 3], [1, 2, 4]),
  on(ints, 'self.all(i, v, v == i + 1)', [1, 2], [1, 3]),
  on(ints, 'self.transformList(i, v, i * v) == [0, 2]', [1, 2], [1, 3]),
  on(ints, '[0] + self == [0, 1]', [1], [2]),
  on(byName, 'self.all(k, self[k] > 0)', { a: 1 }, { a: 0 }),
  on(byName, "'a' in self && self.size() == 1", { a: 1 }, { a: 1, b: 2 }),
  on(byName, "self['a'] == 1", { a: 1 }, { b: 1 }),
  on(byName, 'has(self.a) && self.?b.orValue(2) == 2', { a: 1 }, { a: 1, b: 3 }),
  on(byName, "self.exists(k, v, k == 'a' && v == 1)", { a: 1 }, { a: 2 }),
  on(pair, 'self.a < self.b', { a: 1, b: 2 }, { a: 2, b: 1 }),
  on(pair, '!has(self.a) || self.a == 1', {}, { a: 2 }),
  on(pair, 'self.a == 1', { a: 1 }, { b: 1 }),
  on(pair, 'self.with__dash__dash == 1 || self.with__dash__dash == 2', { 'with-dash': 1 }, { 'with-dash': 3 }),
  on(
    pair,
    "self.__namespace__ == 'x' && self.a__dot__b__slash__c == 1",
    { namespace: 'x', 'a.b/c': 1 },
    { namespace: 'y', 'a.b/c': 1 },
  ),
  on(pair, 'self.x__underscores__y == 1', { x__y: 1 }, { x__y: 2 }),
  on(pair, 'self.a + self.b < 10 ? self.a > 0 : self.b > 0', { a: 1, b: 2 }, { a: 0, b: 2 }),
  on(pair, 'self.?name.orValue("none") != "none"', { name: 'x' }, {}),
  on(pair, 'optional.ofNonZeroValue(self.?a.orValue(0)).hasValue()', { a: 1 }, { a: 0 }),
  on(pair, 'self.?a.optMap(x, x * 2).orValue(2) == 2', { a: 1 }, { a: 2 }),
  on(pair, 'self.a == 1', { a: 1 }, { a: 2 }, { message: 'a must be 1' }),
  on(pair, 'self.a == 1', { a: 1 }, { a: 2 }, { messageExpression: "'a is %d'.format([self.a])" }),
  on(pair, 'self.a == 1', { a: 1 }, { a: 2 }, { messageExpression: "''", message: 'plain' }),
  on(pair, 'self.a == 1', { a: 1 }, { a: 2 }, { messageExpression: 'self.name', message: 'no name' }),
  on(pair, 'self.a == 1', { a: 1 }, { a: 2 }, { reason: 'FieldValueForbidden', message: 'not that' }),
  on(
    pair,
    'self.a == 1',
    { a: 1 },
    { a: 2 },
    { reason: 'FieldValueRequired', fieldPath: '.b', message: 'b is needed' },
  ),
  on(pair, 'self.a == 1', { a: 1 }, { a: 2 }, { reason: 'FieldValueDuplicate', fieldPath: '.name' }),
  on(int, 'self == 1', 1, 2, { reason: 'FieldValueDuplicate' }),
  on(pair, 'self.a == 1', { a: 1 }, { a: 2 }, { fieldPath: "['with-dash']", message: 'dash' }),
  on({ ...texts, 'x-kubernetes-list-type': 'set' }, "self == ['a', 'b']", ['b', 'a'], ['b', 'c']),
];

/** With what was there before: `[old, next]`. */
export const transitionCases: readonly RuleCase[] = [
  on(int, 'self >= oldSelf', [1, 2], [2, 1]),
  on(text, 'self == oldSelf', ['a', 'a'], ['a', 'b'], { message: 'is immutable' }),
  on(int, 'oldSelf.hasValue() ? self > oldSelf.value() : true', [1, 2], [2, 1], { optionalOldSelf: true }),
  on(pair, '!has(oldSelf.a) || has(self.a)', [{ a: 1 }, { a: 2 }], [{ a: 1 }, { b: 1 }]),
  on(texts, 'oldSelf.all(x, x in self)', [['a'], ['a', 'b']], [['a'], ['b']]),
];

/** Rules that are refused when they are defined. */
export const wrongRules: readonly [JsonObject, JsonObject][] = [
  [int, { rule: "self == 'a'" }],
  [int, { rule: 'nothing > 1' }],
  [int, { rule: 'self.a > 1' }],
  [int, { rule: 'self + 1' }],
  [text, { rule: 'self > 1' }],
  [text, { rule: "self.matches('(')" }],
  [text, { rule: "self.matches(self, 'a')" }],
  [text, { rule: 'nosuch(self)' }],
  [text, { rule: "duration('x') == duration('1s')" }],
  [text, { rule: "timestamp('x') == timestamp('2024-01-01T00:00:00Z')" }],
  [text, { rule: "self in [1, 'a']" }],
  [text, { rule: "'%d %s'.format([1])  == self" }],
  [text, { rule: "'%d'.format([1, 2]) == self" }],
  [pair, { rule: 'self.nothing == 1' }],
  [pair, { rule: 'self.a && self.b == 1' }],
  [pair, { rule: "self.a == 1 && self.name == 2\n|| self.b == 'x'", message: 'lines' }],
  [pair, { rule: 'self.all(x, x == 1)' }],
  [texts, { rule: 'self.map(x, x.a)[0] == 1' }],
  [texts, { rule: 'self.all(1, true)' }],
  [texts, { rule: 'self.exists(x, x == 1)' }],
  [int, { rule: 'self == 1', messageExpression: 'self' }],
  [int, { rule: 'self == 1', messageExpression: 'nothing' }],
  [int, { rule: 'self == 1', optionalOldSelf: true }],
  [int, { rule: 'self == 1', reason: 'Odd' }],
  [int, { rule: ' ' }],
  [int, { rule: 'self == 1', message: ' ' }],
  [int, { rule: 'self == 1', message: 'a\nb' }],
  [int, { rule: 'self == 1 &&\nself == 1' }],
  [pair, { rule: 'self.a == 1', fieldPath: '.nothing' }],
  [pair, { rule: 'self.a == 1', fieldPath: 'a' }],
  [{ type: 'array', items: { type: 'string' } }, { rule: 'self.all(x, self.all(y, x == y))' }],
  [{ type: 'array', items: { type: 'string' } }, { rule: "self.all(x, x.matches('^[a-z]+$'))" }],
  [{ type: 'string' }, { rule: `self.matches('${'a'.repeat(200)}') || self.contains(self)` }],
  [
    { type: 'object', additionalProperties: { type: 'string' } },
    { rule: 'self.all(k, self[k].contains(k) && self.all(l, l != k))' },
  ],
];
