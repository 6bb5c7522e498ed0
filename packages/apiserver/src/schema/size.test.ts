import { expect, it } from 'vitest';
import { isHeavierThan, isLargerThan } from './size.ts';

it('is about as large as its JSON', () => {
  const fields = Array.from({ length: 1_000 }, (_, index) => [`field${index}`, { type: 'string', maxLength: 10 }]);
  const schema = { type: 'object', properties: Object.fromEntries(fields), required: ['field1'] };
  const { length } = JSON.stringify(schema);
  expect(isLargerThan(schema, length * 0.8)).toBe(true);
  expect(isLargerThan(schema, length * 1.2)).toBe(false);
});

it('LIMIT-3: what is larger is not counted to its end', () => {
  let looked = 0;
  const counting = () => ({
    get inner() {
      looked += 1;
      return 'x'.repeat(100);
    },
  });
  expect(isLargerThan(Array.from({ length: 1_000 }, counting), 1_000)).toBe(true);
  expect(looked).toBeLessThan(20);
});

it('prose weighs nothing, a field of that name does', () => {
  const described = { type: 'string', description: 'x'.repeat(1_000), title: 'y'.repeat(1_000) };
  const schema = {
    type: 'object',
    description: 'z'.repeat(1_000),
    properties: { name: described, description: described },
  };
  const bare = { type: 'object', properties: { name: { type: 'string' }, description: { type: 'string' } } };
  const { length } = JSON.stringify(bare);
  expect(isHeavierThan(schema, length * 1.2)).toBe(false);
  expect(isHeavierThan(schema, length * 0.8)).toBe(true);
  expect(isLargerThan(schema, 4_900)).toBe(true);
});
