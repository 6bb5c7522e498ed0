import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldAt, type Path, recordAt, recordsAt, textAt, withField, withoutFields } from './fields.ts';
import { frozen } from './testing.ts';

const key = fc.constantFrom('a', 'b', 'c');
const path = fc.tuple(key, fc.array(key, { maxLength: 2 })).map(([first, rest]): Path => [first, ...rest]);
const { tree } = fc.letrec((tie) => ({
  tree: fc.dictionary(key, fc.oneof(fc.integer(), fc.constant([1]), tie('tree')), { depthIdentifier: 'tree' }),
}));

test('a field that was set is read, whatever value it had before; nothing else changes', () => {
  fc.assert(
    fc.property(tree as fc.Arbitrary<object>, path, (object, path) => {
      const changed = withField(frozen(object), path, 'new');
      expect(fieldAt(changed, ...path)).toBe('new');
      const [first] = path;
      for (const other of ['a', 'b', 'c'])
        if (other !== first) expect(fieldAt(changed, other)).toBe(fieldAt(object, other));
    }),
  );
});

test('a field that was taken away is gone; an object without it stays the same object', () => {
  fc.assert(
    fc.property(tree as fc.Arbitrary<object>, path, (object, path) => {
      const changed = withoutFields(frozen(object), path);
      expect(fieldAt(changed, ...path)).toBeUndefined();
      expect(changed === object).toBe(fieldAt(object, ...path) === undefined);
    }),
  );
});

test('what has another form than expected reads as empty', () => {
  const object = { text: 1, list: [{ a: 1 }, 'b', null], none: null };
  expect(textAt(object, 'text')).toBe('');
  expect(recordsAt(object, 'list')).toEqual([{ a: 1 }]);
  expect(recordsAt(object, 'text')).toEqual([]);
  expect(recordAt(object, 'list')).toEqual({});
  expect(recordAt(object, 'none', 'deeper')).toEqual({});
});
