/** Reads the proxy for a host from the environment: `HTTPS_PROXY` and `NO_PROXY`, as Go programs do. */

import { BlockList, isIP } from 'node:net';
import type { Address } from '@fleet/client/dial.ts';
import { isProxyUrl } from '@fleet/client/proxy.ts';

type Environment = Record<string, string | undefined>;

/** Throws if the variable is not the URL of a proxy. The error does not quote it, as it may contain a password. */
export function proxyFromEnvironment(address: Address, env: Environment): string | undefined {
  const named = env['HTTPS_PROXY'] || env['https_proxy'];
  if (!named || isExempt(address, env['NO_PROXY'] || env['no_proxy'] || '')) return undefined;
  const url = named.includes('://') ? named : `http://${named}`;
  if (!isProxyUrl(url)) throw new Error('HTTPS_PROXY is not an http, https or socks5 URL');
  return url;
}

function isExempt(address: Address, exempt: string): boolean {
  const host = address.host.toLowerCase();
  if (host === 'localhost' || isLoopback(host)) return true;
  return exempt
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && matches(entry, host, address.port));
}

function matches(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInNetwork(entry, host);
  const [, named = entry, of] = /^(.*[^:]):(\d{1,5})$/.exec(entry) ?? [];
  if (of !== undefined && isIP(entry) !== 6) return Number(of) === port && isNamed(named, host);
  return isNamed(entry, host);
}

/** `example.com` matches that host and its subdomains, `.example.com` only the subdomains. */
function isNamed(entry: string, host: string): boolean {
  const name = entry.replace(/^\[|\]$/g, '').replace(/^\*/, '');
  return name.startsWith('.') ? host.endsWith(name) : host === name || (!isIP(host) && host.endsWith(`.${name}`));
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

function isInNetwork(network: string, host: string): boolean {
  const [address = '', bits = ''] = network.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  if (!isIP(address) || !isIP(host) || !/^\d{1,3}$/.test(bits) || Number(bits) > most) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(bits), familyOf(address));
  return list.check(host, familyOf(host));
}

const isLoopback = (host: string): boolean => isInNetwork('127.0.0.0/8', host) || isInNetwork('::1/128', host);
