import { describe, expect, it } from 'vitest';
import { matchesFields, parseFieldSelector, readFieldTerms, selectedName } from './field-selector.ts';

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

  it('return the only name that can match', () => {
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

  it('the error of kinds without fields of their own lists those of every kind', () => {
    expect(() => parseFieldSelector('data=1', ['metadata.name', 'metadata.namespace'])).toThrow(
      '"data" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });
});

it('a selector is read whatever the kind', () => {
  expect(readFieldTerms('spec.x!=1')).toEqual([{ field: 'spec.x', value: '1', equal: false }]);
});
