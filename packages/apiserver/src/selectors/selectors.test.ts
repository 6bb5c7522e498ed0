import { describe, expect, it } from 'vitest';
import { matchesFields, parseFieldSelector, selectedName } from './field-selector.ts';
import { parseLabelSelector } from './label-selector.ts';

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

describe('field selectors', () => {
  const known = ['metadata.name', 'metadata.namespace', 'status.phase'];
  const fields = { 'metadata.name': 'a,b', 'status.phase': 'Active' };

  it.each([
    ['', true],
    ['metadata.name=a\\,b', true],
    ['metadata.name==a\\,b,status.phase!=Gone', true],
    ['metadata.name=a', false],
    ['metadata.namespace=', true],
  ])('%s', (selector, matches) => {
    expect(matchesFields(parseFieldSelector(selector, known), fields)).toBe(matches);
  });

  it('tell the one name that can match', () => {
    expect(selectedName(parseFieldSelector('status.phase=x,metadata.name=a', known))).toBe('a');
    expect(selectedName(parseFieldSelector('metadata.name!=a', known))).toBeUndefined();
  });

  it.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['spec.x=1', 'field label not supported: spec.x'],
    ['metadata.name=\\x', 'invalid field selector: invalid escape sequence: \\x'],
    ['metadata.name=a=b', 'invalid field selector: unescaped character in value: 61'],
  ])('%s is refused in the words of kube-apiserver', (selector, message) => {
    expect(() => parseFieldSelector(selector, known)).toThrow(expect.objectContaining({ code: 400, message }));
  });

  it('kinds without fields of their own say what every kind has', () => {
    expect(() => parseFieldSelector('data=1', ['metadata.name', 'metadata.namespace'])).toThrow(
      '"data" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });
});
