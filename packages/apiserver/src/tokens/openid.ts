/** The OpenID discovery documents, with which relying parties verify ServiceAccount tokens. */

import type { ApiReply } from '../http/message.ts';
import type { SigningKey } from './signing-key.ts';

const keysPath = '/openid/v1/jwks';

const document = (contentType: string, value: object) => (): ApiReply => ({
  status: 200,
  headers: { 'content-type': contentType, 'cache-control': 'public, max-age=3600' },
  body: Buffer.from(JSON.stringify(value)),
});

/** By path. `address` is the server's for clients: `host:port`, optionally with a path. */
export const openIdDocuments = (key: SigningKey, issuer: string, address: string): Map<string, () => ApiReply> =>
  new Map([
    [
      '/.well-known/openid-configuration',
      document('application/json', {
        issuer,
        jwks_uri: `https://${address}${keysPath}`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: [key.algorithm],
      }),
    ],
    [keysPath, document('application/jwk-set+json', { keys: [key.publicJwk] })],
  ]);
