import { expect, test } from 'vitest';
import { selectsByObject } from './selector-object.ts';

test.each(['constructor', '__proto__', 'toString'])('an object has no label %s unless it is one of its own', (key) => {
  const own = JSON.parse(`{"${key}": "x"}`) as Record<string, string>;
  const expression = (operator: string, values: string[] = []) => ({ matchExpressions: [{ key, operator, values }] });
  expect(selectsByObject(expression('Exists'), {})).toBe(false);
  expect(selectsByObject(expression('DoesNotExist'), {})).toBe(true);
  expect(selectsByObject(expression('NotIn', ['x']), {})).toBe(true);
  expect(selectsByObject(expression('In', ['x']), own)).toBe(true);
  expect(selectsByObject({ matchLabels: own }, own)).toBe(true);
  expect(selectsByObject({ matchLabels: own }, {})).toBe(false);
});

test.each(['In', 'NotIn'])('%s reads its values once for all objects', (operator) => {
  let reads = 0;
  const values = new Proxy(
    Array.from({ length: 50 }, (_, index) => `v${index}`),
    {
      get(target, name, self) {
        reads += 1;
        return Reflect.get(target, name, self) as unknown;
      },
    },
  );
  const selector = { matchExpressions: [{ key: 'a', operator, values }] };
  for (let index = 0; index < 100; index += 1) {
    expect(selectsByObject(selector, { a: `v${index}` })).toBe(index < 50 === (operator === 'In'));
  }
  expect(reads).toBeLessThan(1000);
});
