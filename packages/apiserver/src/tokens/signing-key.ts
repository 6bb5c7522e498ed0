/** The key that signs ServiceAccount tokens, with ES256 or RS256 by the type of key. */

import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

export interface SigningKey {
  algorithm: 'ES256' | 'RS256';
  keyId: string;
  /** In the form of a key set. */
  publicJwk: Record<string, unknown>;
  sign(text: string): Buffer;
  verify(text: string, signature: Buffer): boolean;
}

/** Reads a private key in PEM. */
export function readSigningKey(pem: string): SigningKey {
  const secret = createPrivateKey(pem);
  const open = createPublicKey(secret);
  const algorithm = algorithmOf(open);
  // The key id is derived as in kube-apiserver.
  const keyId = createHash('sha256')
    .update(open.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  const { kty, ...parts } = open.export({ format: 'jwk' });
  return {
    algorithm,
    keyId,
    publicJwk: { use: 'sig', kty, kid: keyId, alg: algorithm, ...parts },
    sign: (text) => sign('sha256', Buffer.from(text), { key: secret, dsaEncoding: 'ieee-p1363' }),
    verify: (text, signature) =>
      verify('sha256', Buffer.from(text), { key: open, dsaEncoding: 'ieee-p1363' }, signature),
  };
}

function algorithmOf(key: KeyObject): SigningKey['algorithm'] {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'rsa') return 'RS256';
  if (type === 'ec' && details?.namedCurve === 'prime256v1') return 'ES256';
  throw new Error('the key of ServiceAccount tokens must be RSA, or EC on P-256');
}
