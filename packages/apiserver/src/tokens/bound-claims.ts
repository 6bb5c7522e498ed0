/** The claims of a ServiceAccount's token: its account, the object that it is bound to, and its expiry. */

import { randomUUID } from 'node:crypto';
import { accountUser } from '../authn/user.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { Claims } from './jwt.ts';

export interface Reference {
  name: string;
  uid: string;
}

export interface BoundClaims {
  namespace: string;
  serviceaccount: Reference;
  pod?: Reference;
  secret?: Reference;
  node?: Reference;
}

export const boundClaims = 'kubernetes.io';

export type BoundTo = Pick<BoundClaims, 'pod' | 'secret' | 'node'>;

export const referenceTo = ({ metadata: { name = '', uid = '' } }: KubeObject): Reference => ({ name, uid });

export interface ClaimOptions {
  account: KubeObject;
  boundTo: BoundTo;
  issuer: string;
  audiences: readonly string[];
  expirationSeconds: number;
  /** Seconds since 1970. */
  now: number;
}

export function claimsFor({ account, boundTo, issuer, audiences, expirationSeconds, now }: ClaimOptions): Claims {
  const { namespace = '', name = '' } = account.metadata;
  const bound: BoundClaims = { namespace, ...boundTo, serviceaccount: referenceTo(account) };
  return {
    aud: audiences,
    exp: now + expirationSeconds,
    iat: now,
    iss: issuer,
    jti: randomUUID(),
    [boundClaims]: bound,
    nbf: now,
    sub: accountUser({ namespace, name }),
  };
}
