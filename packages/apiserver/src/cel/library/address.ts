/** Parses and formats addresses and prefixes as Go's `net/netip` does. */

import { isIPv4, isIPv6 } from 'node:net';

export interface Address {
  family: 4 | 6;
  bits: bigint;
}

export interface Prefix {
  address: Address;
  length: number;
}

export class AddressError extends Error {}

const mapped = 0xffffn << 32n;

export function parseAddress(text: string): Address {
  const fail = (why: string): never => {
    throw new AddressError(`ParseAddr(${JSON.stringify(text)}): ${why}`);
  };
  if (isIPv4(text)) return { family: 4, bits: ipv4Bits(text) };
  if (text.includes('%') && isIPv6(text.slice(0, text.indexOf('%')))) {
    throw new AddressError(`zone ${JSON.stringify(text)}`);
  }
  if (isIPv6(text)) return { family: 6, bits: ipv6Bits(text) };
  if (!/[.:]/.test(text)) return fail('unable to parse IP');
  return text.includes(':') && !/^[\d.]*:/.test(text) ? fail('unable to parse IP') : fail(ipv4Fault(text));
}

function ipv4Fault(text: string): string {
  const fields = text.split('.');
  if (fields.some((field) => !/^\d*$/.test(field)))
    return 'unexpected character (at "'.concat(text.replace(/^[\d.]*/, ''), '")');
  if (fields.some((field) => field === '')) return 'IPv4 field must have at least one digit';
  if (fields.some((field) => Number(field) > 255)) return 'IPv4 field has value >255';
  if (fields.some((field) => /^0\d/.test(field))) return 'IPv4 field has octet with leading zero';
  return fields.length < 4 ? 'IPv4 address too short' : 'IPv4 address too long';
}

const ipv4Bits = (text: string): bigint => text.split('.').reduce((bits, byte) => (bits << 8n) + BigInt(byte), 0n);

function ipv6Bits(text: string): bigint {
  const tail = text.slice(text.lastIndexOf(':') + 1);
  const dotted = tail.includes('.') ? ipv4Bits(tail) : undefined;
  const plain =
    dotted === undefined
      ? text
      : text.replace(tail, `${(dotted >> 16n).toString(16)}:${(dotted & 0xffffn).toString(16)}`);
  const [head = '', rest] = plain.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [before, after] = [groups(head), groups(rest ?? '')];
  const zeros = rest === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].reduce((bits, group) => (bits << 16n) + BigInt(`0x${group}`), 0n);
}

export const isMapped = ({ family, bits }: Address): boolean => family === 6 && bits >> 32n === mapped >> 32n;

export function addressText({ family, bits }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => (bits >> BigInt(112 - 16 * index)) & 0xffffn);
  let [from, length] = [-1, 1];
  for (let at = 0; at < 8; at++) {
    let end = at;
    while (end < 8 && groups[end] === 0n) end++;
    if (end - at > length) [from, length] = [at, end - at];
  }
  const hex = groups.map((group) => group.toString(16));
  if (from < 0) return hex.join(':');
  return `${hex.slice(0, from).join(':')}::${hex.slice(from + length).join(':')}`;
}

export const widthOf = ({ family }: Address): number => (family === 4 ? 32 : 128);

export function parsePrefix(text: string): Prefix {
  const fail = (why: string): never => {
    throw new AddressError(`netip.ParsePrefix(${JSON.stringify(text)}): ${why}`);
  };
  const slash = text.lastIndexOf('/');
  if (slash < 0) fail("no '/'");
  let address: Address;
  try {
    address = parseAddress(text.slice(0, slash));
  } catch (cause) {
    if (!(cause instanceof AddressError)) throw cause;
    return fail(cause.message);
  }
  const bits = text.slice(slash + 1);
  if (!/^(0|[1-9]\d*)$/.test(bits)) fail(`bad bits after slash: ${JSON.stringify(bits)}`);
  if (Number(bits) > widthOf(address)) fail('prefix length out of range');
  return { address, length: Number(bits) };
}

/** The prefix with all host bits cleared. */
export function masked({ address, length }: Prefix): Prefix {
  const host = BigInt(widthOf(address) - length);
  return { address: { ...address, bits: (address.bits >> host) << host }, length };
}

export function holds(prefix: Prefix, address: Address): boolean {
  if (prefix.address.family !== address.family) return false;
  const host = BigInt(widthOf(address) - prefix.length);
  return prefix.address.bits >> host === address.bits >> host;
}
