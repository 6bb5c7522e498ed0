import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createCa, issueClient } from '@fleet/apiserver/pki/certificates.ts';
import { UnreachableError } from '@fleet/client/upstream.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonReply } from '../http/message.ts';
import { type Listening, startListening } from '../testing/listening.ts';
import { type Cluster, type Secret, secretsNamespace } from './cluster.ts';
import { clusterAnnotation } from './credential.ts';
import { connect, connectionOf, defaultRules } from './member.ts';

let server: Listening;

beforeAll(async () => {
  server = await startListening(async ({ certificate, headers }) =>
    jsonReply(200, { certificate: certificate?.subject, authorization: headers['authorization'] }),
  );
});
afterAll(() => server[Symbol.asyncDispose]());

const base64 = (text: string) => Buffer.from(text).toString('base64');
const encoded = (data: Record<string, string>): Secret => ({
  metadata: { name: 's', annotations: { [clusterAnnotation]: 'm1' } },
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)])),
});

const cluster = (spec: Partial<Cluster['spec']> = {}): Cluster => ({
  metadata: { name: 'm1', uid: 'u' },
  spec: { syncMode: 'Push', apiEndpoint: server.url, secretRef: { namespace: 'n', name: 'control' }, ...spec },
});

const call = { method: 'GET', path: '/', headers: {}, signal: new AbortController().signal };

async function seen(
  secrets: Record<string, Secret>,
  spec: Partial<Cluster['spec']> = {},
  as: 'control' | 'impersonator' = 'control',
) {
  const connection = connectionOf(cluster(spec), ({ name }) => secrets[name], {
    ...defaultRules,
    secretNamespaces: ['n', secretsNamespace],
  });
  if (connection.is === 'connection-error') return connection.message;
  await using upstream = connect(connection)[as];
  return JSON.parse(String(await (await upstream.call(call)).body.bytes()));
}

describe('CLU-2, CLU-5: a member’s credential', () => {
  it('a token and a private CA', async () => {
    expect(await seen({ control: encoded({ token: 't', caBundle: server.ca.cert }) })).toEqual({
      authorization: 'Bearer t',
    });
  });

  it('a client certificate', async () => {
    const { cert, key } = await issueClient(server.ca, 'fleet', []);
    expect(await seen({ control: encoded({ 'tls.crt': cert, 'tls.key': key, caBundle: server.ca.cert }) })).toEqual({
      certificate: 'CN=fleet',
    });
  });

  it('CLU-4: a token that ends with a newline', async () => {
    expect(await seen({ control: encoded({ token: 't\n', caBundle: server.ca.cert }) })).toEqual({
      authorization: 'Bearer t',
    });
  });

  it('CLU-5: without a CA the system’s roots count, which do not know a private one', async () => {
    const ca = { caBundle: server.ca.cert };
    await expect(seen({ control: encoded({ token: 't' }) })).rejects.toBeInstanceOf(UnreachableError);
    await expect(seen({ control: encoded({ token: 't', caBundle: '' }) })).rejects.toBeInstanceOf(UnreachableError);
    const before = getCACertificates('default');
    try {
      setDefaultCACertificates([ca.caBundle]);
      expect(await seen({ control: encoded({ token: 't' }) })).toEqual({ authorization: 'Bearer t' });
    } finally {
      setDefaultCACertificates(before);
    }
  });

  it('CLU-2: the CA may stand in the first Secret only, as Karmada has it', async () => {
    const secrets = {
      control: encoded({ token: 'control', caBundle: server.ca.cert }),
      impersonator: encoded({ token: 'impersonator' }),
    };
    const impersonatorSecretRef = { namespace: 'n', name: 'impersonator' };
    expect(await seen(secrets, { impersonatorSecretRef }, 'impersonator')).toEqual({
      authorization: 'Bearer impersonator',
    });
  });

  it('IMP-1: users’ requests go with the impersonation credential, or with the only one there is', async () => {
    const secrets = {
      control: encoded({ token: 'control', caBundle: server.ca.cert }),
      impersonator: encoded({ token: 'impersonator', caBundle: server.ca.cert }),
    };
    const impersonatorSecretRef = { namespace: 'n', name: 'impersonator' };
    expect(await seen(secrets, { impersonatorSecretRef }, 'impersonator')).toEqual({
      authorization: 'Bearer impersonator',
    });
    expect(await seen(secrets, { impersonatorSecretRef }, 'control')).toEqual({ authorization: 'Bearer control' });
    expect(await seen(secrets, {}, 'impersonator')).toEqual({ authorization: 'Bearer control' });
  });

  it('a server of another CA is not spoken to, unless that is configured', async () => {
    const other = await createCa('other');
    const secrets = { control: encoded({ token: 't', caBundle: other.cert }) };
    await expect(seen(secrets)).rejects.toSatisfy((error) => error instanceof UnreachableError && !error.sent);
    expect(await seen(secrets, { insecureSkipTLSVerification: true })).toEqual({ authorization: 'Bearer t' });
  });

  it('without a Secret or an endpoint there is no connection', async () => {
    const control = encoded({ token: 't' });
    const secretRef = { namespace: secretsNamespace, name: 'm1' };
    expect(await seen({}, { secretRef })).toBe('has no credential: there is no Secret karmada-cluster/m1');
    expect(await seen({ control }, { apiEndpoint: '' })).toContain('has no apiEndpoint');
    const impersonatorSecretRef = { namespace: secretsNamespace, name: 'm1-impersonator' };
    expect(await seen({ control }, { impersonatorSecretRef })).toContain('no Secret karmada-cluster/m1-impersonator');
  });

  it('SEC-4: an apiEndpoint without TLS is refused: the credential would be read on the way', async () => {
    const control = encoded({ token: 't' });
    const reason = 'has no apiEndpoint that is an https URL';
    expect(await seen({ control }, { apiEndpoint: server.url.replace('https:', 'http:') })).toBe(reason);
  });

  it('SEC-4: a link-local address is never dialled, unless it is allowed', async () => {
    const control = encoded({ token: 't', caBundle: server.ca.cert });
    for (const apiEndpoint of ['https://169.254.169.254', 'https://[::ffff:a9fe:a9fe]', 'https://[fe80::1]']) {
      const refused = { sent: false, cause: { code: 'ERR_ADDRESS_REFUSED' } };
      await expect(seen({ control }, { apiEndpoint })).rejects.toMatchObject(refused);
      await expect(seen({ control }, { proxyURL: apiEndpoint })).rejects.toMatchObject(refused);
    }
    expect(await seen({ control })).toEqual({ authorization: 'Bearer t' });
  });
});

it('SEC-2: what all answers of a member hold is counted together, users’ apart from the product’s own', async () => {
  const secret = encoded({ token: 't', caBundle: server.ca.cert });
  const rules = { ...defaultRules, secretNamespaces: ['n'], objectLimit: 1000 };
  const connection = connectionOf(cluster(), () => secret, rules);
  if (connection.is === 'connection-error') throw new Error(connection.message);
  const { impersonator, control } = connect(connection);
  await using owner = new AsyncDisposableStack();
  for (const one of [impersonator, control]) owner.use(one);
  const memoryOf = async (upstream: typeof control) => {
    const { body } = await upstream.call(call);
    await body.bytes();
    return body.memory;
  };
  const memory = await memoryOf(impersonator);
  expect([memory.objectLimit, memory.free]).toEqual([1000, 4]);
  const lease = memory.lease();
  lease.hold(lease, true);
  expect(lease.admitted()).toBeUndefined();
  expect((await memoryOf(impersonator)).free).toBe(3);
  expect((await memoryOf(control)).free).toBe(4);
});
