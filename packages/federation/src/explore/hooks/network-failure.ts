/** Describes a connection error by its code alone: its message names addresses, and may hold parts of a URL. */

import { RefusedAddressError } from '@fleet/client/address-check.ts';
import type { HookFailure } from './hook-error.ts';

export function networkFailure(error: unknown): { failure: HookFailure; reason: string } {
  const chain = causesOf(error);
  if (chain.some((one) => one instanceof RefusedAddressError)) {
    return { failure: 'refused-address', reason: 'its address must not be dialled' };
  }
  const code = chain.map(codeOf).find((one) => one !== undefined);
  if (code?.startsWith('ERR_TLS') || (code && certificateCodes.test(code))) {
    return { failure: 'unreachable', reason: `its certificate is not trusted (${code})` };
  }
  return { failure: 'unreachable', reason: `it cannot be reached${code ? ` (${code})` : ''}` };
}

/** Of OpenSSL's verification. */
const certificateCodes = /CERT|ISSUER|SIGNATURE|CRL_/;

function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let at = error; at instanceof Error && chain.length < 10; at = at.cause) chain.push(at);
  // A name with several addresses fails once for each.
  return chain.flatMap((one) => (one instanceof AggregateError ? [one, ...one.errors] : [one]));
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : undefined;
}
