import { expect, test } from 'vitest';
import { perObject } from './per-object.ts';

test('a value is computed once per object, even if it is undefined', () => {
  const made: string[] = [];
  const upper = perObject(({ text }: { text: string }) => {
    made.push(text);
    return text === '' ? undefined : text.toUpperCase();
  });
  const [one, other, empty] = [{ text: 'a' }, { text: 'a' }, { text: '' }];
  expect([upper(one), upper(other), upper(one), upper(empty), upper(empty)]).toEqual([
    'A',
    'A',
    'A',
    undefined,
    undefined,
  ]);
  expect(made).toEqual(['a', 'a', '']);
});

test('a failed computation is retried', () => {
  let isBroken = true;
  const length = perObject(({ text }: { text: string }) => {
    if (isBroken) throw new Error('broken');
    return text.length;
  });
  const one = { text: 'abc' };
  expect(() => length(one)).toThrow('broken');
  isBroken = false;
  expect(length(one)).toBe(3);
});
