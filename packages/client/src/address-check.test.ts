import { afterEach, describe, expect, it } from 'vitest';
import { isCidr, notLinkLocal } from './address-check.ts';
import { HttpsUpstream } from './https-upstream.ts';
import { type ApiServer, startApiServer } from './testing/api-server.ts';
import { startConnectProxy, startSocksProxy, type TestProxy } from './testing/proxies.ts';

const get = { method: 'GET', path: '/', headers: {}, signal: new AbortController().signal };
const refused = { cause: { code: 'ERR_ADDRESS_REFUSED' } };

let server: ApiServer | undefined;
let proxy: TestProxy | undefined;
afterEach(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

describe('SEC-4: link-local addresses', () => {
  it.each([
    '169.254.169.254',
    '169.254.0.1',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::169.254.1.1',
    '64:ff9b::169.254.169.254',
    '2002:a9fe:a9fe::1',
    '64:ff9b:1::a9fe:a9fe',
    '64:ff9b:1:2:3:4:169.254.169.254',
    '64:ff9b:1:a9fe:a9:fe00::',
    '64:ff9b:1:a9:fe:a9fe::',
    '64:ff9b:1:2:a9:fea9:fe00:0',
    '::ffff:0:169.254.169.254',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fe80::1',
    'febf::1',
    'fe80::1%eth0',
    'no address',
  ])('%s is refused', (address) => {
    expect(notLinkLocal([])(address)).toBe(false);
  });

  it.each([
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    '169.253.0.1',
    '169.255.0.1',
    '2001:db8::1',
    '2001:db8::a9fe:a9fe',
    'fec0::1',
    'fd00:ec2::253',
    '64:ff9b:1::10.0.0.1',
    '::ffff:0:10.0.0.1',
    '::ffff:127.0.0.1',
  ])('%s is not', (address) => {
    expect(notLinkLocal([])(address)).toBe(true);
  });

  it('only addresses in the setting are allowed', () => {
    const canDial = notLinkLocal(['169.254.10.0/24', 'fe80::/64', '64:ff9b:1::/48']);
    expect(['169.254.10.7', '::ffff:169.254.10.7', 'fe80::7'].map(canDial)).toEqual([true, true, true]);
    expect(canDial('64:ff9b:1::a9fe:a9fe')).toBe(true);
    expect(['169.254.11.7', '169.254.169.254', 'fe80:1::7'].map(canDial)).toEqual([false, false, false]);
  });

  it.each([
    ['10.0.0.0/8', true],
    ['fe80::/10', true],
    ['10.0.0.0', false],
    ['10.0.0.0/33', false],
    ['fe80::/129', false],
    ['10.0.0.0/8/8', false],
    ['10.0.0.0/', false],
    ['all/8', false],
  ])('%s is a CIDR: %s', (text, is) => {
    expect(isCidr(text)).toBe(is);
  });
});

describe('SEC-4: an address that must not be dialled', () => {
  const canDial = () => false;

  it.each(['127.0.0.1', 'localhost'])('%s gets no connection, for calls and for upgrades', async (host) => {
    server = await startApiServer((_, response) => response.end('hello'));
    const { port, protocol } = new URL(server.url);
    const upstream = new HttpsUpstream({ url: `${protocol}//${host}:${port}`, tls: {}, canDial });
    await expect(upstream.call(get)).rejects.toMatchObject({ sent: false, ...refused });
    await expect(upstream.upgrade(get)).rejects.toMatchObject({ sent: false, ...refused });
    expect({ sockets: server.sockets.size, requests: server.requests }).toEqual({ sockets: 0, requests: [] });
  });

  it.each([
    ['http', startConnectProxy],
    ['socks5', startSocksProxy],
  ] as const)('nor does an %s proxy, or a server behind a proxy by address', async (scheme, start) => {
    proxy = await start();
    const port = proxy.address.split(':')[1];
    for (const host of ['127.0.0.1', 'localhost']) {
      const settings = { url: `${scheme}://${host}:${port}` };
      const upstream = new HttpsUpstream({ url: 'https://member.example', tls: {}, canDial, proxy: settings });
      await expect(upstream.call(get)).rejects.toMatchObject(refused);
    }
    const metadata = { url: 'https://169.254.169.254', tls: {}, canDial: notLinkLocal([]) };
    const upstream = new HttpsUpstream({ ...metadata, proxy: { url: `${scheme}://${proxy.address}` } });
    await expect(upstream.call(get)).rejects.toMatchObject(refused);
    expect(proxy.targets).toEqual([]);
  });
});
