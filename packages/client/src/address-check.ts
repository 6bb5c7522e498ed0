/** Decides which addresses may be dialled. Literal addresses and resolved names are both checked, so that no name bypasses it. */

import { lookup } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';

/** Takes an address without the brackets of IPv6. */
export type CanDial = (address: string) => boolean;

export class RefusedAddressError extends Error {
  readonly code = 'ERR_ADDRESS_REFUSED';

  constructor() {
    super('the address must not be dialled');
  }
}

const families = { 4: 'ipv4', 6: 'ipv6' } as const;

function subnets(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', prefix] = cidr.split('/');
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Including the forms in which IPv6 carries IPv4: compatible, SIIT, NAT64, 6to4. */
const linkLocalNets = [
  ...['169.254.0.0/16', 'fe80::/10'],
  ...['::a9fe:0/112', '::ffff:0:a9fe:0/112', '64:ff9b::a9fe:0/112', '2002:a9fe::/32'],
];

/** Metadata services of clouds that are not link-local: of AWS, Google and Oracle. */
const metadataServices = ['fd00:ec2::254/128', 'fd20:ce::254/128', 'fd00:c1::a9fe:a9fe/128'];

const refused = subnets([...linkLocalNets, ...metadataServices]);

/** NAT64 within a site (RFC 8215): the site chooses one of four positions for the IPv4 address (RFC 6052, 2.2). */
const localNat64 = subnets(['64:ff9b:1::/48']);
const offsetsOfIpv4 = [
  [6, 7],
  [7, 9],
  [9, 10],
  [12, 13],
] as const;

function carriesLinkLocal(ip: string): boolean {
  if (!localNat64.check(ip, 'ipv6')) return false;
  const bytes = bytesOf(ip);
  return offsetsOfIpv4.some(([first, second]) => bytes[first] === 169 && bytes[second] === 254);
}

function bytesOf(ip: string): Buffer {
  // A URL has it in hexadecimal, with at most one `::`.
  const [left = '', right] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [left, right ?? ''].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return Buffer.from([...before, ...zeros, ...after].map((word) => word.padStart(4, '0')).join(''), 'hex');
}

export function isCidr(text: string): boolean {
  const [address = '', prefix, more] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more === undefined && /^\d{1,3}$/.test(prefix ?? '') && Number(prefix) <= bits;
}

/**
 * Allows all addresses except link-local ones and metadata services, unless they are in `allowed`, a list of CIDRs. BlockList treats
 * IPv4-mapped addresses as IPv4.
 */
export function notLinkLocal(allowed: readonly string[]): CanDial {
  const exceptions = subnets(allowed);
  return (address) => {
    // A zone, as in fe80::1%eth0, does not matter.
    const [ip = ''] = address.split('%');
    const family = isIP(ip);
    if (family !== 4 && family !== 6) return false;
    const isRefused = refused.check(ip, families[family]) || (family === 6 && carriesLinkLocal(ip));
    return !isRefused || exceptions.check(ip, families[family]);
  };
}

/** Throws for a literal address; names are checked when they are resolved. */
export function checkLiteral(host: string, canDial: CanDial): void {
  if (isIP(host) && !canDial(host)) throw new RefusedAddressError();
}

/** Connects to the very address that was checked: there is no second resolution. */
export const checkedLookup =
  (canDial: CanDial): LookupFunction =>
  (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const allowed = (found ?? []).filter(({ address }) => canDial(address));
      const [first] = allowed;
      if (error || !first) done(error ?? new RefusedAddressError(), options.all ? [] : '', 0);
      else if (options.all) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
