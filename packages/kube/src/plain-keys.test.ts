import { expect, it } from 'vitest';
import { JsonBytesError } from './json-bytes.ts';
import { eachKnownMember } from './plain-keys.ts';

const read = (text: string) => {
  const seen: (string | undefined)[] = [];
  eachKnownMember(Buffer.from(text), 0, ['kind', 'items'], (name) => {
    seen.push(name);
    return undefined;
  });
  return seen;
};

it.each([
  '{"kind":1,"kind":2}',
  '{"k\\u0069nd":1}',
  '{"kind":1,"Kind":2}',
  '{"\u212aind":1}',
  '{"\\u212aind":1}',
  '{"item\u017f":1}',
  '{"\\x":1}',
])('SEC-1: a key that readers understand differently is refused: %s', (text) => {
  expect(() => read(text)).toThrow(JsonBytesError);
});

it('accepts every other key, within values, too', () => {
  expect(read('{"a\\"b":{"kind":1,"kind":2},"kind":"K","kinds":1,"kinds":2,"items":[],"é":0}')).toEqual([
    undefined,
    'kind',
    undefined,
    undefined,
    'items',
    undefined,
  ]);
});
