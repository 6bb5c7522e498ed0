/** The library of IP addresses and CIDRs. */

import type { Library } from '../environment.ts';
import * as types from '../types.ts';
import { EvaluationError, Foreign, noSuchOverload, type Value } from '../values.ts';
import {
  type Address,
  AddressError,
  addressText,
  holds,
  isMapped,
  masked,
  type Prefix,
  parseAddress,
  parsePrefix,
  widthOf,
} from './address.ts';
import { asText, declare, free, member } from './declare.ts';

const { bool, int, opaque, string } = types;
const ip = opaque('net.IP');
const cidr = opaque('net.CIDR');

class IpValue extends Foreign {
  readonly type = ip;
  readonly address: Address;
  override readonly size: number;
  constructor(address: Address) {
    super();
    this.address = address;
    this.size = widthOf(address) / 8;
  }
  equals(other: Foreign): boolean {
    return (
      other instanceof IpValue &&
      this.address.family === other.address.family &&
      this.address.bits === other.address.bits
    );
  }
}

class CidrValue extends Foreign {
  readonly type = cidr;
  readonly prefix: Prefix;
  override readonly size: number;
  constructor(prefix: Prefix) {
    super();
    this.prefix = prefix;
    this.size = Math.ceil(prefix.length / 8);
  }
  equals(other: Foreign): boolean {
    if (!(other instanceof CidrValue)) return false;
    const [a, b] = [this.prefix, other.prefix];
    return a.length === b.length && a.address.family === b.address.family && a.address.bits === b.address.bits;
  }
}

/** Returns the error text if the address is invalid. */
function readIp(text: string): IpValue | string {
  try {
    const address = parseAddress(text);
    return isMapped(address) ? `IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed` : new IpValue(address);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    if (error.message.startsWith('zone ')) return `IP address ${JSON.stringify(text)} with zone value is not allowed`;
    return `IP Address ${JSON.stringify(text)} parse error during conversion from string: ${error.message}`;
  }
}

function readCidr(text: string): CidrValue | string {
  const prose = 'network address parse error during conversion from string: ';
  try {
    const prefix = parsePrefix(text);
    if (isMapped(prefix.address)) return `IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`;
    return new CidrValue(prefix);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    return `${prose}${error.message}`;
  }
}

function orFail<Made>(made: Made | string, prose = ''): Made {
  if (typeof made === 'string') throw new EvaluationError(`${prose}${made}`);
  return made;
}

const toIp = (value: Value | undefined): IpValue => (value instanceof IpValue ? value : orFail(readIp(asText(value))));
const toCidr = (value: Value | undefined): CidrValue =>
  value instanceof CidrValue
    ? value
    : orFail(readCidr(asText(value)), 'network address parse error during conversion from string: ');

function asIp(value: Value | undefined): Address {
  if (!(value instanceof IpValue)) throw noSuchOverload();
  return value.address;
}

function asPrefix(value: Value | undefined): Prefix {
  if (!(value instanceof CidrValue)) throw noSuchOverload();
  return value.prefix;
}

const within = (address: Address, ...prefixes: string[]): boolean =>
  prefixes.some((prefix) => holds(parsePrefix(prefix), address));

const isLoopback = (address: Address) => within(address, '127.0.0.0/8', '::1/128');
const isUnspecified = (address: Address) => within(address, '0.0.0.0/32', '::/128');
const isMulticast = (address: Address) => within(address, '224.0.0.0/4', 'ff00::/8');
const isLinkLocal = (address: Address) => within(address, '169.254.0.0/16', 'fe80::/10');
const isGlobal = (address: Address) =>
  !isUnspecified(address) &&
  !isLoopback(address) &&
  !isMulticast(address) &&
  !isLinkLocal(address) &&
  !within(address, '255.255.255.255/32');

const asked = (id: string, holdsFor: (address: Address) => boolean) =>
  declare([member(id, [ip], bool)], ([value]) => holdsFor(asIp(value)));

const containsCidr = (outer: Prefix, inner: Prefix): boolean =>
  outer.length <= inner.length && holds(outer, inner.address);

export const addresses: Library = {
  ip: declare([free('string_to_ip', [string], ip), member('cidr_ip', [cidr], ip)], ([value]) =>
    value instanceof CidrValue ? new IpValue(value.prefix.address) : toIp(value),
  ),
  isIP: declare([free('is_ip', [string], bool)], ([text]) => typeof readIp(asText(text)) !== 'string'),
  'ip.isCanonical': declare(
    [free('ip_is_canonical', [string], bool)],
    ([text]) => addressText(toIp(text).address) === text,
  ),
  family: declare([member('ip_family', [ip], int)], ([value]) => BigInt(asIp(value).family)),
  isUnspecified: asked('ip_is_unspecified', isUnspecified),
  isLoopback: asked('ip_is_loopback', isLoopback),
  isLinkLocalMulticast: asked('ip_is_link_local_multicast', (address) => within(address, '224.0.0.0/24', 'ff02::/16')),
  isLinkLocalUnicast: asked('ip_is_link_local_unicast', isLinkLocal),
  isGlobalUnicast: asked('ip_is_global_unicast', isGlobal),
  cidr: declare([free('string_to_cidr', [string], cidr)], ([text]) => toCidr(text)),
  isCIDR: declare([free('is_cidr', [string], bool)], ([text]) => typeof readCidr(asText(text)) !== 'string'),
  containsIP: declare(
    [member('cidr_contains_ip_string', [cidr, string], bool), member('cidr_contains_ip_ip', [cidr, ip], bool)],
    ([outer, inner]) => holds(asPrefix(outer), toIp(inner).address),
  ),
  containsCIDR: declare(
    [member('cidr_contains_cidr_string', [cidr, string], bool), member('cidr_contains_cidr', [cidr, cidr], bool)],
    ([outer, inner]) => containsCidr(asPrefix(outer), toCidr(inner).prefix),
  ),
  prefixLength: declare([member('cidr_prefix_length', [cidr], int)], ([value]) => BigInt(asPrefix(value).length)),
  masked: declare([member('cidr_masked', [cidr], cidr)], ([value]) => new CidrValue(masked(asPrefix(value)))),
  string: declare([free('ip_to_string', [ip], string), free('cidr_to_string', [cidr], string)], ([value]) => {
    if (value instanceof IpValue) return addressText(value.address);
    const { address, length } = asPrefix(value);
    return `${addressText(address)}/${length}`;
  }),
};
