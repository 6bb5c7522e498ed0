import { makeHostKey } from '@fleet/tunnel/ssh2/host-key.ts';
import { proofOfHash } from '@fleet/tunnel/ssh2/logins.ts';
import { formatToken, hashSecret, makeToken } from '@fleet/tunnel/token.ts';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../members/agent.ts';
import { activeAnnotation, type Cluster, connectionTypeAnnotation, type Secret } from '../members/cluster.ts';
import { clusterAnnotation } from '../members/credential.ts';
import { AgentLogins } from './agent-logins.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const [first, second, others] = ['gondor', 'gondor', 'mordor'].map((name) => makeToken(name, ['x'.repeat(43)]));
const key = makeHostKey().publicKey;
const keyBytes = Buffer.from(key.split(' ')[1]!, 'base64');

interface Scene {
  annotations?: Record<string, string>;
  data?: Record<string, string>;
  of?: string;
  publicKeys?: string[];
  deletionTimestamp?: string;
  finalizers?: string[];
}

function logins({
  annotations = {},
  data = {},
  of = 'gondor',
  publicKeys = [],
  deletionTimestamp,
  finalizers,
}: Scene = {}) {
  const cluster: Cluster = {
    metadata: {
      name: 'gondor',
      annotations: { [connectionTypeAnnotation]: 'proxy', ...annotations },
      ...(deletionTimestamp ? { deletionTimestamp } : {}),
      ...(finalizers ? { finalizers } : {}),
    },
    spec: { syncMode: 'Push' },
  };
  const secret: Secret = {
    metadata: { name: 'gondor-agent-token', annotations: { [clusterAnnotation]: of } },
    data: Object.fromEntries(Object.entries(data).map(([name, text]) => [name, base64(text)])),
  };
  const agent: Agent = { metadata: { name: 'gondor' }, spec: { publicKeys } };
  return new AgentLogins({
    cluster: (name) => (name === 'gondor' ? cluster : undefined),
    secret: ({ name }) => (name === 'gondor-agent-token' ? secret : undefined),
    agent: (name) => (name === 'gondor' ? agent : undefined),
  });
}

const byToken = (token: string, name = 'gondor') => ({ name, by: 'token', token }) as const;
const hashes = { 'hash-1': hashSecret(first!.secret), 'hash-b': `${hashSecret(second!.secret)}\n` };

describe('AGENT-3: tokens', () => {
  it('each of those that are stored by their hash, and no other', () => {
    const all = logins({ data: hashes });
    expect(all.isAllowed(byToken(first!.secret))).toBe(true);
    expect(all.isAllowed(byToken(second!.secret))).toBe(true);
    expect(all.isAllowed(byToken(others!.secret))).toBe(false);
    expect(all.isAllowed(byToken(hashSecret(first!.secret)))).toBe(false);
    expect(all.isAllowed(byToken(''))).toBe(false);
    expect(all.isAllowed(byToken(first!.secret, 'mordor'))).toBe(false);
  });

  it('none that is stored as it is: who reads Secrets must not find one', () => {
    expect(logins({ data: { token: formatToken(first!) } }).isAllowed(byToken(first!.secret))).toBe(false);
    expect(logins({ data: { token: first!.secret } }).isAllowed(byToken(first!.secret))).toBe(false);
    expect(logins({ data: { 'hash-1': '' } }).isAllowed(byToken(''))).toBe(false);
  });

  it('SEC-4: not of a Secret that is another cluster’s', () => {
    expect(logins({ data: hashes, of: 'mordor' }).isAllowed(byToken(first!.secret))).toBe(false);
  });
});

it('AGENT-3: public keys of the Agent, one a line as in authorized_keys', () => {
  const all = logins({ publicKeys: ['nonsense', `${key} somebody@somewhere`] });
  expect(all.isAllowed({ name: 'gondor', by: 'key', publicKey: keyBytes })).toBe(true);
  expect(all.isAllowed({ name: 'mordor', by: 'key', publicKey: keyBytes })).toBe(false);
  expect(logins().isAllowed({ name: 'gondor', by: 'key', publicKey: keyBytes })).toBe(false);
  expect(
    logins({ publicKeys: ['nonsense'] }).isAllowed({ name: 'gondor', by: 'key', publicKey: Buffer.alloc(0) }),
  ).toBe(false);
});

describe('AGENT-9', () => {
  it.each([
    ['not active', { annotations: { [activeAnnotation]: 'false' } }],
    ['not reached through an agent', { annotations: { [connectionTypeAnnotation]: 'direct' } }],
    ['deleted', { deletionTimestamp: '2026-01-01T00:00:00Z' }],
  ])('nobody logs in for a cluster that is %s', (why, scene) => {
    const all = logins({ data: hashes, ...scene });
    expect(all.isAllowed(byToken(first!.secret))).toBe(false);
    expect(all.whyClosed('gondor')).toContain(why);
  });

  it('FED-9: an agent of a deleted cluster stays until what has to be removed in the member is gone', () => {
    const finalizers = ['karmada.io/cluster-controller'];
    const all = logins({ data: hashes, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers });
    expect(all.isAllowed(byToken(first!.secret))).toBe(true);
  });

  it('what was revoked is valid no more', () => {
    const proof = proofOfHash(hashSecret(first!.secret));
    expect(logins({ data: hashes }).isValid('gondor', proof)).toBe(true);
    expect(logins({ data: { 'hash-b': hashes['hash-b'] } }).isValid('gondor', proof)).toBe(false);
    expect(logins({ data: hashes }).isValid('mordor', proof)).toBe(false);
  });
});
