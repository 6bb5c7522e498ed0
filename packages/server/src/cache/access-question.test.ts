import { expect, test } from 'vitest';
import { type AccessQuestion, identityOf, reviewKeyOf } from './access-question.ts';

const identity = identityOf({ 'impersonate-user': 'alice' })!;
const question: AccessQuestion = {
  verb: 'list',
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  namespace: '',
  name: '',
  labelSelector: '',
  fieldSelector: '',
};
const key = (about: Partial<AccessQuestion>) => reviewKeyOf('m1', identity, { ...question, ...about });

test('SEC-3: keys are short, however long the names are that a user asks for, and differ as they do', () => {
  const long = 'a'.repeat(500_000);
  const keys = [
    key({}),
    key({ namespace: 'a', name: 'b' }),
    key({ namespace: 'a","b' }),
    key({ namespace: long }),
    key({ name: long }),
    key({ namespace: long, name: 'b' }),
    key({ name: `${long}b` }),
    key({ name: long, fieldSelector: long }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  for (const one of keys) expect(one.length).toBeLessThan(2_000);
  expect(key({ name: long })).toBe(key({ name: long }));
});
