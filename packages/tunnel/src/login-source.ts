/** The source by which logins are limited: an IPv4 address, or an IPv6 /64, as one host may own all of it. */

import { isIPv6 } from 'node:net';

/** The prefixes in which IPv6 carries IPv4: on a dual-stack socket, and through a translator (RFC 6052). */
const carriers: readonly string[] = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

export function sourceOf(address: string): string {
  // The zone, as in fe80::1%eth0, is local to this machine.
  const [ip = ''] = address.split('%');
  if (!isIPv6(ip)) return ip;
  const words = wordsOf(ip);
  if (!carriers.includes(words.slice(0, 6).join(':'))) return `${words.slice(0, 4).join(':')}::/64`;
  const bytes = words.slice(6).flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 0xff]);
  return bytes.join('.');
}

/** The eight groups, in hexadecimal without leading zeros. */
function wordsOf(ip: string): string[] {
  const [left = '', right = ''] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [left, right].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
}
