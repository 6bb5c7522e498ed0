import { describe, expect, it } from 'vitest';
import { jsonPath } from './json-path.ts';

const object = {
  a: {
    'b.c': [
      { type: 'Ready', n: 1 },
      { type: 'Other', n: 2 },
    ],
  },
  d: [1, 2, 3],
};

describe('JSONPath of printed columns', () => {
  it.each([
    ['.d[0]', [1]],
    ['.d[-1]', [3]],
    ['.d[1:]', [2, 3]],
    ['.d[*]', [1, 2, 3]],
    ["['a']", [object.a]],
    [".a['b\\.c'][0].type", ['Ready']],
    ['.a.b\\.c[?(@.type=="Ready")].n', [1]],
    ['.a.b\\.c[?(@.n > 1)].type', ['Other']],
    ["['a'][?(@[0].n)]", [object.a['b.c']]],
    ['.missing', []],
  ])('%s', (path, found) => {
    expect(jsonPath(path)?.(object)).toEqual(found);
  });

  it.each(['a', '..a', '.a[', ".a['b", '.a[?(@x)]'])('%s cannot be read', (path) => {
    expect(jsonPath(path)).toBeUndefined();
  });
});
