import { describe, expect, test } from 'vitest';
import { proxyFromEnvironment } from './proxy-environment.ts';

const proxy = 'http://proxy.test:3128';
const of = (host: string, noProxy: string, port = 8443) =>
  proxyFromEnvironment({ host, port }, { HTTPS_PROXY: proxy, NO_PROXY: noProxy });

test('HTTPS_PROXY, in either case, with or without a scheme; none without it', () => {
  const address = { host: 'fleet.test', port: 443 };
  expect(proxyFromEnvironment(address, { HTTPS_PROXY: proxy })).toBe(proxy);
  expect(proxyFromEnvironment(address, { https_proxy: 'proxy.test:3128' })).toBe(proxy);
  expect(proxyFromEnvironment(address, { HTTPS_PROXY: 'socks5://proxy.test' })).toBe('socks5://proxy.test');
  expect(proxyFromEnvironment(address, { HTTP_PROXY: proxy, HTTPS_PROXY: '' })).toBeUndefined();
});

test('a value that is not a proxy URL is refused, without quoting a password', () => {
  const env = { HTTPS_PROXY: 'ftp://user:hunter2@proxy.test' };
  expect(() => proxyFromEnvironment({ host: 'fleet.test', port: 443 }, env)).toThrow(/^HTTPS_PROXY is not an http/);
});

describe('NO_PROXY', () => {
  test.each([['*'], ['fleet.test'], ['test'], ['.test'], ['*.test'], ['other.test, FLEET.test'], ['fleet.test:8443']])(
    '%s exempts fleet.test',
    (list) => expect(of('fleet.test', list)).toBeUndefined(),
  );

  test.each([[''], ['est'], ['.fleet.test'], ['fleet.test:443'], ['other.test'], ['a.fleet.test'], ['10.0.0.0/8']])(
    '%j does not',
    (list) => expect(of('fleet.test', list)).toBe(proxy),
  );

  test.each([
    ['10.1.2.3', '10.0.0.0/8'],
    ['10.1.2.3', '10.1.2.3'],
    ['10.1.2.3', '10.1.2.3:8443'],
    ['fd00::5', 'fd00::/8'],
    ['fd00::5', 'fd00::5'],
    ['fd00::5', '[fd00::5]:8443'],
  ])('of the address %s: %s', (host, list) => expect(of(host, list)).toBeUndefined());

  test.each([
    ['11.1.2.3', '10.0.0.0/8'],
    ['10.1.2.3', '10.0.0.0/40'],
    ['10.1.2.3', '2.3'],
    ['fd00::5', 'fd00::6'],
  ])('not of the address %s: %s', (host, list) => expect(of(host, list)).toBe(proxy));

  test.each(['localhost', '127.0.0.1', '127.8.8.8', '::1'])('%s is never reached through a proxy', (host) =>
    expect(of(host, '')).toBeUndefined(),
  );
});
