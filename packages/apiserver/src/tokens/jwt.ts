/** Signs and verifies JSON Web Tokens in compact form: three base64url parts with dots between them. */

import type { SigningKey } from './signing-key.ts';

export interface Claims {
  iss: string;
  sub: string;
  aud?: readonly string[] | string;
  exp?: number;
  iat?: number;
  nbf?: number;
  jti?: string;
  [claim: string]: unknown;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function signJwt(claims: Claims, key: SigningKey): string {
  const text = `${encoded({ alg: key.algorithm, kid: key.keyId })}.${encoded(claims)}`;
  return `${text}.${key.sign(text).toString('base64url')}`;
}

function parsed(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined if it is not a JWT of one of these issuers. Throws if it claims to be one, but has no valid signature. */
export function verifyJwt(token: string, key: SigningKey, issuers: readonly string[]): Claims | undefined {
  const [head = '', body = '', signature = '', ...more] = token.split('.');
  const claims = parsed(body);
  if (!signature || more.length > 0 || !claims || !issuers.includes(String(claims['iss']))) return undefined;
  const header = parsed(head);
  if (!header) return undefined;
  if (header['kid'] && header['kid'] !== key.keyId) throw new Error('invalid signature, no keys found');
  const isSound = header['alg'] === key.algorithm && key.verify(`${head}.${body}`, Buffer.from(signature, 'base64url'));
  if (!isSound) throw new Error('go-jose/go-jose: error in cryptographic primitive');
  return claims as Claims;
}
