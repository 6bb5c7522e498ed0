import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';
import { signJwt, verifyJwt } from './jwt.ts';
import { readSigningKey } from './signing-key.ts';

const pemOf = (key: { privateKey: { export(options: object): string | Buffer } }) =>
  String(key.privateKey.export({ type: 'pkcs8', format: 'pem' }));

describe('AUTHN-1: JSON Web Tokens', () => {
  const keys = {
    ES256: pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
    RS256: pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 })),
  };
  it.each(Object.entries(keys))('%s', (algorithm, pem) => {
    const key = readSigningKey(pem);
    const token = signJwt({ iss: 'us', sub: 'x' }, key);
    expect(key.algorithm).toBe(algorithm);
    expect(verifyJwt(token, key, ['us'])).toEqual({ iss: 'us', sub: 'x' });
    expect(verifyJwt(token, key, ['them'])).toBeUndefined();
    const [head, , signature] = token.split('.');
    const other = Buffer.from(JSON.stringify({ iss: 'us', sub: 'admin' })).toString('base64url');
    expect(() => verifyJwt(`${head}.${other}.${signature}`, key, ['us'])).toThrow('cryptographic');
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    expect(() => verifyJwt(`${none}.${other}.${signature}`, key, ['us'])).toThrow('cryptographic');
  });

  it('a key of another kind is refused', () => {
    expect(() => readSigningKey(pemOf(generateKeyPairSync('ed25519')))).toThrow('must be RSA, or EC on P-256');
  });
});

describe('AUTHN-1: namespaces', () => {
  const spaces = '/api/v1/namespaces';

  it('have an account and the CA, and get them back', async () => {
    const { ask, watch, internalErrors } = await openServer({ access: { rootCa: 'PEM' } });
    await ask('POST', spaces, { metadata: { name: 'x' } });
    const accounts = await watch(`${spaces}/x/serviceaccounts?watch=1`);
    const maps = await watch(`${spaces}/x/configmaps?watch=1`);
    expect((await accounts.next()).value.object.metadata).toMatchObject({ name: 'default' });
    expect((await maps.next()).value.object).toMatchObject({ data: { 'ca.crt': 'PEM' } });
    await ask('DELETE', `${spaces}/x/serviceaccounts/default`);
    await ask(
      'PATCH',
      `${spaces}/x/configmaps/kube-root-ca.crt`,
      { data: { 'ca.crt': 'x' } },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect((await accounts.next()).value.type).toBe('DELETED');
    expect((await accounts.next()).value.type).toBe('ADDED');
    expect((await maps.next()).value.object).toMatchObject({ data: { 'ca.crt': 'x' } });
    expect((await maps.next()).value.object).toMatchObject({ data: { 'ca.crt': 'PEM' } });
    expect(internalErrors).toEqual([]);
  });

  it('get them within their quotas alone, and later when these allow it', async () => {
    const admission = ['ResourceQuota'] as const;
    const { ask, watch, internalErrors } = await openServer({ access: { rootCa: 'PEM' }, admission });
    await ask('POST', spaces, { metadata: { name: 'x' } });
    const accounts = await watch(`${spaces}/x/serviceaccounts?watch=1`);
    const maps = await watch(`${spaces}/x/configmaps?watch=1`);
    for (const objects of [accounts, maps]) expect((await objects.next()).value.type).toBe('ADDED');
    const quota = `${spaces}/x/resourcequotas/q`;
    await ask('POST', `${spaces}/x/resourcequotas`, { metadata: { name: 'q' }, spec: {} });
    const allow = async (count: string): Promise<void> => {
      const hard = { 'count/configmaps': count };
      const status = { hard, used: { 'count/configmaps': '0' } };
      const headers = { 'content-type': 'application/merge-patch+json' };
      expect((await ask('PATCH', quota, { spec: { hard } }, headers)).status).toBe(200);
      expect((await ask('PATCH', `${quota}/status`, { status }, headers)).status).toBe(200);
    };
    await allow('0');
    await ask('DELETE', `${spaces}/x/configmaps/kube-root-ca.crt`);
    expect((await maps.next()).value.type).toBe('DELETED');
    // Both are processed together: when it has its account for the second time, the ConfigMap was refused.
    for (const type of ['DELETED', 'ADDED', 'DELETED', 'ADDED']) {
      if (type === 'DELETED') await ask('DELETE', `${spaces}/x/serviceaccounts/default`);
      expect((await accounts.next()).value.type).toBe(type);
    }
    expect((await ask('GET', `${spaces}/x/configmaps`)).body.items).toEqual([]);
    await allow('1');
    expect((await maps.next()).value).toMatchObject({ type: 'ADDED', object: { data: { 'ca.crt': 'PEM' } } });
    expect((await ask('GET', quota)).body).toMatchObject({ status: { used: { 'count/configmaps': '1' } } });
    expect(internalErrors).toEqual([]);
  });
});

it('COMPAT-4: what is asked for a token is read before its namespace is looked for', async () => {
  const { ask } = await openServer();
  const path = '/api/v1/namespaces/nowhere/serviceaccounts/default/token';
  const asked = { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1' };
  expect((await ask('POST', path, asked, { accept: 'text/plain' })).status).toBe(406);
  expect((await ask('POST', path, { ...asked, spec: 5 })).status).toBe(400);
  const { status, body } = await ask('POST', path, asked);
  expect([status, body['message']]).toEqual([404, 'namespaces "nowhere" not found']);
});

it('AUTHN-1: others can check tokens by themselves', async () => {
  const { ask } = await openServer({ access: { address: 'fleet.example:8443' } });
  expect((await ask('GET', '/.well-known/openid-configuration')).body).toMatchObject({
    issuer: 'https://kubernetes.default.svc',
    jwks_uri: 'https://fleet.example:8443/openid/v1/jwks',
    id_token_signing_alg_values_supported: ['ES256'],
  });
  const { body } = await ask('POST', '/api/v1/namespaces/default/serviceaccounts/default/token', {});
  const [head] = (body['status'] as { token: string }).token.split('.');
  const { kid } = JSON.parse(Buffer.from(head!, 'base64url').toString()) as { kid: string };
  const keys = JSON.parse(String((await ask('GET', '/openid/v1/jwks')).body['text'])) as { keys: { kid: string }[] };
  expect(keys.keys.map((key) => key.kid)).toEqual([kid]);
});
