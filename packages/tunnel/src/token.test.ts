import { expect, test } from 'vitest';
import { formatToken, hashSecret, makeToken, matchesSecret, parseToken } from './token.ts';

const fingerprint = 'f'.repeat(43);

test('a token is parsed as it was created, also with a trailing newline', () => {
  const token = makeToken('gondor', [fingerprint, 'e'.repeat(43)]);
  expect(parseToken(`${formatToken(token)}\n`)).toEqual(token);
  expect(Buffer.from(token.secret, 'base64url')).toHaveLength(32);
  expect(makeToken('gondor', []).secret).not.toBe(token.secret);
});

test.each([
  '',
  'fleet-agent-1',
  `fleet-agent-2:gondor:${fingerprint}:${fingerprint}`,
  `fleet-agent-1::${fingerprint}:${fingerprint}`,
  `fleet-agent-1:gondor:${fingerprint}:`,
  `fleet-agent-1:gondor:${fingerprint}:${fingerprint},`,
  `fleet-agent-1:gondor:${fingerprint}:${fingerprint}:more`,
  `fleet-agent-1:gondor:short:${fingerprint}`,
  `fleet-agent-1:gondor:${'+'.repeat(43)}:${fingerprint}`,
])('no token: %j, and its text is not quoted', (text) => {
  expect(() => parseToken(text)).toThrow(/^this is not an agent token, which has the form [a-z0-9A-Z:-]+$/);
});

test('AGENT-3: only the hash is stored, and a second token is accepted beside the first', () => {
  const [first, second] = [makeToken('gondor', []), makeToken('gondor', [])];
  const hashes = [first, second].map(({ secret }) => hashSecret(secret));
  expect(hashes.join()).not.toContain(first.secret);
  expect(matchesSecret(first.secret, hashes)).toBe(true);
  expect(matchesSecret(second.secret, hashes)).toBe(true);
  expect(matchesSecret(second.secret, hashes.slice(0, 1))).toBe(false);
  expect(matchesSecret(hashes[0]!, hashes)).toBe(false);
  expect(matchesSecret('', ['', 'x'])).toBe(false);
  expect(matchesSecret(first.secret, [])).toBe(false);
});
