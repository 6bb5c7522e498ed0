import { UnreachableError } from '@fleet/client/upstream.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { expect, test } from 'vitest';
import { describe, HintedError } from './errors.ts';

test('an error is one line', () => {
  expect(describe(new Error('first\n  second\n'))).toBe('first second');
  expect(describe(new HintedError('it broke', 'Mend it'))).toBe('it broke. Mend it');
  expect(describe(new StatusError(500, '', ''))).toBe('the server answered 500');
});

test.each([
  ['SELF_SIGNED_CERT_IN_CHAIN', 'a CA that the kubeconfig does not name as certificate-authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'a CA that the kubeconfig does not name as certificate-authority'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
])('a certificate that cannot be verified: the error names it and the reason: %s', (code, words) => {
  const cause = Object.assign(new Error('certificate'), { code });
  expect(describe(new UnreachableError(false, { cause }))).toMatch(`${words} (${code})`);
});

test('an unreachable server: the error has the reason', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
  expect(describe(new UnreachableError(false, { cause }))).toBe('cannot connect: connect ECONNREFUSED 127.0.0.1:1');
});
