import { describe, expect, test } from 'vitest';
import { secretRules, serviceAccountRules } from './service-account.ts';
import { objectOf } from './testing.ts';

const account = (fields: object) => objectOf('v1', 'ServiceAccount', fields, { name: 'foo' });
const named = (...names: string[]) => names.map((name) => ({ name }));

test.each([
  [named('foo-token-6pgxf', 'foo-token-7abcd', 'foo-dockercfg-zdr2j'), named('foo-dockercfg-zdr2j')],
  [named('foo-token-6pgxf'), undefined],
  [named('bar-token-1'), named('bar-token-1')],
])('FED-18: generated tokens of an account are left out (%#)', (secrets, expected) => {
  expect(serviceAccountRules.pack!(account({ secrets }))['secrets']).toEqual(expected);
});

test('FED-12: the lists of an account are merged', () => {
  const desired = account({ secrets: named('a', 'b') });
  const observed = account({ secrets: named('b', 'foo-token-1'), imagePullSecrets: named('pull') });
  expect(serviceAccountRules.retain!(desired, observed)).toEqual(
    account({ secrets: named('a', 'b', 'foo-token-1'), imagePullSecrets: named('pull') }),
  );
  expect(serviceAccountRules.retain!(desired, account({ secrets: named('a') }))).toBe(desired);
});

describe('Secrets', () => {
  const token = 'kubernetes.io/service-account-token';
  const secret = (type: string, fields: object, metadata: object = {}) =>
    objectOf('v1', 'Secret', { type, ...fields }, metadata);
  const uid = 'kubernetes.io/service-account.uid';
  const annotations = { [uid]: '123', 'kubernetes.io/service-account.name': 'foo' };

  test('FED-18: of a token are left out the data and the uid of its account', () => {
    expect(secretRules.pack!(secret(token, { data: { token: 'abc' } }, { annotations }))).toEqual(
      secret(token, {}, { annotations: { 'kubernetes.io/service-account.name': 'foo' } }),
    );
  });

  test('FED-12: a token’s data is the member’s', () => {
    const observed = secret(token, { data: { token: 'observed' } });
    expect(secretRules.retain!(secret(token, { data: { token: 'desired' } }), observed)).toEqual(observed);
    expect(secretRules.retain!(secret(token, {}), secret(token, {}))).toEqual(secret(token, {}));
  });

  test.each(['kubernetes.io/tls', 'kubernetes.io/basic-auth', 'kubernetes.io/dockercfg', 'Opaque'])(
    'others are the template’s: %s',
    (type) => {
      const desired = secret(type, { data: { a: 'desired' } }, { annotations });
      expect(secretRules.retain!(desired, secret(type, { data: { a: 'observed' } }))).toBe(desired);
      expect(secretRules.pack!(desired)).toBe(desired);
    },
  );
});
