import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SecureVersion, TLSSocket } from 'node:tls';
import { createCa, issueServing, type KeyPair } from '@fleet/apiserver/pki/certificates.ts';
import { startConnectProxy, startSocksProxy } from '@fleet/client/testing/proxies.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, type Secret, secretsNamespace } from './cluster.ts';
import { connect, connectionOf } from './member.ts';

let ca: KeyPair;
let serving: KeyPair;

beforeAll(async () => {
  ca = await createCa('test-ca');
  serving = await issueServing(ca, ['localhost', '127.0.0.1']);
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A member that returns by which TLS it was reached. */
async function startMember(version?: SecureVersion) {
  const limits = version ? { minVersion: version, maxVersion: version } : {};
  const server = createServer({ cert: serving.cert, key: serving.key, ...limits }, (request, response) =>
    response.end((request.socket as TLSSocket).getProtocol()),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function ask(host: string, spec: Partial<Cluster['spec']> = {}): Promise<string> {
  const secretRef = { namespace: secretsNamespace, name: 'm1' };
  const cluster: Cluster = {
    metadata: { name: 'm1' },
    spec: { syncMode: 'Push', apiEndpoint: `https://${host}`, secretRef, ...spec },
  };
  const secret: Secret = { metadata: { name: 'm1' }, data: { token: base64('t'), caBundle: base64(ca.cert) } };
  const connection = connectionOf(cluster, () => secret);
  if (connection.is === 'connection-error') throw new Error(connection.message);
  await using upstream = connect(connection).control;
  const reply = await upstream.call({ method: 'GET', path: '/', headers: {}, signal: AbortSignal.timeout(5_000) });
  return String(await reply.body.bytes());
}

describe('CLU-5: the transports to a member', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)('%s', async (version) => {
    await using member = await startMember(version);
    expect(await ask(member.host)).toBe(version);
  });

  it('an https proxy of the same CA, with TLS to the member inside', async () => {
    await using member = await startMember();
    await using proxy = await startConnectProxy(undefined, { cert: serving.cert, key: serving.key });
    const proxyURL = `https://${proxy.address}`;
    expect(await ask(member.host, { proxyURL, proxyHeader: { 'X-Key': 'v' } })).toBe('TLSv1.3');
    expect({ targets: proxy.targets, key: proxy.headers[0]?.['x-key'] }).toEqual({ targets: [member.host], key: 'v' });
  });

  it('a socks5 proxy, which resolves the name', async () => {
    await using member = await startMember();
    await using proxy = await startSocksProxy();
    expect(await ask(member.host, { proxyURL: `socks5://${proxy.address}` })).toBe('TLSv1.3');
    expect(proxy.targets).toEqual([member.host]);
  });

  it('a proxyURL of another kind is reported', async () => {
    await expect(ask('localhost:1', { proxyURL: 'ftp://x' })).rejects.toThrow('proxyURL');
  });
});
