/** Validates `?timeout=` as kube-apiserver does, except for watches; the timeout itself is not applied. */

import { badRequest } from '@fleet/kube/status.ts';
import { quoted } from '../errors/quoted.ts';

const units = ['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h'];

export function refuseBadTimeout(query: URLSearchParams): void {
  const timeout = query.get('timeout');
  const fault = timeout ? durationFault(timeout) : undefined;
  if (fault) throw badRequest(`invalid timeout specified in the request URL - time: ${fault}`);
}

/** Go's error for an invalid duration. */
function durationFault(text: string): string | undefined {
  const isNone = `invalid duration ${quoted(text)}`;
  const rest = text.replace(/^[+-]/, '');
  if (rest === '0') return undefined;
  if (rest === '') return isNone;
  for (let at = 0; at < rest.length; ) {
    const [all, number = '', unit = ''] = /^([\d.]*)([^\d.]*)/.exec(rest.slice(at))!;
    if (!/^(?:\d+(?:\.\d*)?|\.\d+)$/.test(number)) return isNone;
    if (unit === '') return `missing unit in duration ${quoted(text)}`;
    if (!units.includes(unit)) return `unknown unit ${quoted(unit)} in duration ${quoted(text)}`;
    at += all.length;
  }
  return undefined;
}
