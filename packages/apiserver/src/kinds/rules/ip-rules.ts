/** Validates IP addresses and CIDRs in fields that are older than the strict rules (apimachinery's `validation/ip.go`). */

import { type FieldError, invalidValue } from '../../errors/field-error.ts';
import { quoted } from '../../errors/quoted.ts';
import { type IpAddress, ipText, maskedOf, parseIp, parseIpRange, sameBytes } from './ip-address.ts';

/** `known` are the addresses of the old object, which stay valid. */
export function ipErrors(text: string, at: string, known: ReadonlySet<string> = new Set()): FieldError[] {
  if (known.has(text)) return [];
  const address = parseIp(text);
  if (!address) return [invalidValue(at, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
  return [
    ...(address.hasZeros ? [invalidValue(at, text, 'must not have leading 0s')] : []),
    ...(address.isMapped && !address.hasZeros
      ? [invalidValue(at, text, 'must not be an IPv4-mapped IPv6 address')]
      : []),
  ];
}

/** For newer fields. */
export function strictIpErrors(text: string, at: string): FieldError[] {
  const errors = ipErrors(text, at);
  if (errors.length > 0) return errors;
  const canonical = ipText(parseIp(text)!);
  return text === canonical ? [] : [invalidValue(at, text, `must be in canonical form (${quoted(canonical)})`)];
}

export function ipRangeErrors(text: string, at: string, known: ReadonlySet<string> = new Set()): FieldError[] {
  if (known.has(text)) return [];
  const range = parseIpRange(text);
  const refuse = (why: string): FieldError[] => [invalidValue(at, text, why)];
  if (!range) return refuse('must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)');
  if (range.hasZeros || range.address.hasZeros) return refuse('must not have leading 0s in IP or prefix length');
  if (range.address.isMapped) return refuse('must not have an IPv4-mapped IPv6 address');
  return sameBytes(range.address, maskedOf(range)) ? [] : refuse('must not have bits set beyond the prefix length');
}

/** For a valid address, unless it was there before. */
export function ipWarnings(text: string, at: string): string[] {
  const address = parseIp(text);
  if (!address) return [];
  const usual = ipText(address);
  if (address.hasZeros || address.isMapped)
    return [`${at}: non-standard IP address ${quoted(text)} is invalid: use ${quoted(usual)}`];
  return !address.isV4 && usual !== text
    ? [`${at}: IPv6 address ${quoted(text)} should be in RFC 5952 canonical format (${quoted(usual)})`]
    : [];
}

export function ipRangeWarnings(text: string, at: string): string[] {
  const range = parseIpRange(text);
  if (!range) return [];
  const { address, bits } = range;
  const masked = maskedOf(range);
  const usual = `${ipText(masked)}/${bits}`;
  const warnings: string[] = [];
  if (!sameBytes(address, masked)) {
    const single = `${ipText(address)}/${8 * address.bytes.length}`;
    warnings.push(
      `${at}: CIDR value ${quoted(text)} is ambiguous in this context (should be ${quoted(usual)} or ${quoted(single)}?)`,
    );
  }
  if (range.hasZeros || address.hasZeros || address.isMapped)
    warnings.push(`${at}: non-standard CIDR value ${quoted(text)} is invalid: use ${quoted(usual)}`);
  if (warnings.length === 0 && !address.isV4 && `${ipText(address)}/${bits}` !== text)
    warnings.push(
      `${at}: IPv6 CIDR value ${quoted(text)} should be in RFC 5952 canonical format (${quoted(`${ipText(address)}/${bits}`)})`,
    );
  return warnings;
}

/** For addresses of endpoints (`core/validation` `ValidateEndpointIP`). */
export function endpointIpErrors(text: string, at: string): FieldError[] {
  const address = parseIp(text);
  if (!address) return [invalidValue(at, text, 'must be a valid IP address')];
  return specialRanges(address, text).map((why) => invalidValue(at, text, why));
}

function specialRanges({ isV4, bytes }: IpAddress, text: string): string[] {
  const [first = 0, second = 0, third = 0] = bytes;
  const isZero = (list: readonly number[]) => list.every((byte) => byte === 0);
  const isLoopback = isV4 ? first === 127 : isZero(bytes.slice(0, 15)) && bytes[15] === 1;
  const isLocal = isV4 ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80;
  const isLocalMulticast = isV4
    ? first === 224 && second === 0 && third === 0
    : first === 0xff && (second & 0x0f) === 2;
  return [
    ...(isZero(bytes) ? [`may not be unspecified (${text})`] : []),
    ...(isLoopback ? ['may not be in the loopback range (127.0.0.0/8, ::1/128)'] : []),
    ...(isLocal ? ['may not be in the link-local range (169.254.0.0/16, fe80::/10)'] : []),
    ...(isLocalMulticast ? ['may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'] : []),
  ];
}
