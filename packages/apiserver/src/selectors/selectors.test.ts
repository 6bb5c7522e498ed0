import { describe, expect, it } from 'vitest';
import { parseLabelSelector } from './label-selector.ts';
import { selectsByObject } from './selector-object.ts';

const objects = { web: { app: 'web', tier: '' }, db: { app: 'db', size: '12' }, bare: {} };

describe('label selectors', () => {
  it.each([
    ['app', ['web', 'db']],
    ['!app', ['bare']],
    ['app=web', ['web']],
    ['app == web', ['web']],
    ['app!=web', ['db', 'bare']],
    ['app in (web, db),!size', ['web']],
    ['app notin (web)', ['db', 'bare']],
    ['tier=', ['web']],
    ['tier in ()', ['web']],
    ['tier in (,x)', ['web']],
    ['size>5', ['db']],
    ['size<12', []],
    ['app>5', []],
    ['in', []],
    ['notin=in', []],
    ['toString', []],
  ])('%s', (selector, names) => {
    const matches = parseLabelSelector(selector)!;
    expect(Object.entries(objects).flatMap(([name, labels]) => (matches(labels) ? [name] : []))).toEqual(names);
  });

  it('an empty one selects everything', () => {
    expect(parseLabelSelector(' ')).toBeUndefined();
  });

  it.each([
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a,', "found '', expected: identifier after ','"],
    ['=', "found '=', expected: !, identifier, or 'end of string'"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (=', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    [
      '*bar',
      "unable to parse requirement: <nil>: Invalid value: \"*bar\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
    [
      'a>b',
      "unable to parse requirement: values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
  ])('%s is refused in the words of kube-apiserver', (selector, message) => {
    expect(() => parseLabelSelector(selector)).toThrow(expect.objectContaining({ code: 400, message }));
  });
});

it.each(['constructor', 'toString', '__proto__'])(
  'objects hold selectors by %s that find their own labels alone',
  (key) => {
    const selects = (operator: string, labels: object, values = ['x']) =>
      selectsByObject({ matchExpressions: [{ key, operator, values }] }, labels as Record<string, string>);
    const own = JSON.parse(`{"${key}":"x"}`) as Record<string, string>;
    expect(selects('Exists', {})).toBe(false);
    expect(selects('DoesNotExist', {})).toBe(true);
    expect(selects('Exists', own)).toBe(true);
    expect(selects('In', own)).toBe(true);
    expect(selects('NotIn', own)).toBe(false);
    expect(selectsByObject({ matchLabels: own }, {})).toBe(false);
    expect(selectsByObject({ matchLabels: own }, own)).toBe(true);
  },
);
