/** Validates IP addresses, with Kubernetes' error texts (apimachinery `util/validation/ip.go`). */

import { isIP, isIPv4, isIPv6 } from 'node:net';
import { type FieldError, invalidValue } from '../../errors/field-error.ts';

const noIp = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

const isPadded = (text: string): boolean =>
  !isIPv4(text) &&
  isIPv4(
    text
      .split('.')
      .map((part) => part.replace(/^0+/, '') || part.slice(0, 1))
      .join('.'),
  );

/** `known` are the addresses that the object has already. */
export function ipErrors(field: string, text: string, known: readonly string[] = []): FieldError[] {
  if (known.includes(text)) return [];
  if (isPadded(text)) return [invalidValue(field, text, 'must not have leading 0s')];
  if (isIP(text) === 0 || text.includes('%')) return [invalidValue(field, text, noIp)];
  return isMapped(text) ? [invalidValue(field, text, 'must not be an IPv4-mapped IPv6 address')] : [];
}

const isMapped = (text: string): boolean => isIPv6(text) && /^[0:]*:ffff:/i.test(text) && text.includes('.');

export const familyOf = (text: string): 'IPv4' | 'IPv6' => (isIPv6(text) ? 'IPv6' : 'IPv4');

export const ipv4Number = (text: string): number => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

export const ipv4Text = (value: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');

/** Refuses addresses that no endpoint can have. */
export function endpointIpErrors(field: string, address: string): FieldError[] {
  const refuse = (why: string) => [invalidValue(field, address, why)];
  if (isIP(address) === 0) return isPadded(address) ? [] : refuse('must be a valid IP address');
  if (isIPv4(address)) {
    if (address === '0.0.0.0') return refuse('may not be unspecified (0.0.0.0)');
    if (address.startsWith('127.')) return refuse('may not be in the loopback range (127.0.0.0/8, ::1/128)');
    if (address.startsWith('169.254.')) return refuse('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
    return address.startsWith('224.0.0.')
      ? refuse('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)')
      : [];
  }
  if (address === '::') return refuse('may not be unspecified (::)');
  if (address === '::1') return refuse('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  return /^fe[89ab]/i.test(address) ? refuse('may not be in the link-local range (169.254.0.0/16, fe80::/10)') : [];
}
