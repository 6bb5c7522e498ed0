/** Bearer tokens of a file, as kube-apiserver's `--token-auth-file`: lines of `token,user,uid,"group1,group2"`. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Authenticator } from './authenticate.ts';
import { bearerToken } from './token-review.ts';
import type { User } from './user.ts';

export interface StaticToken {
  digest: Buffer;
  user: User;
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** An error has the line's number, never the token. If a token occurs twice, the later line counts. */
export function parseTokenFile(text: string): StaticToken[] {
  const tokens = new Map<string, StaticToken>();
  text.split(/\r?\n/).forEach((line, index) => {
    if (line === '') return;
    const [token, name, uid, groups] = fieldsOf(line, index + 1);
    if (name === undefined || uid === undefined) {
      throw new Error(`line ${index + 1}: must have at least 3 columns: token, user name, user uid`);
    }
    if (!token) return;
    // Impersonating an empty name would send the request as the product itself (SEC-5).
    if (name.trim() === '') throw new Error(`line ${index + 1}: the user name is empty`);
    const digest = digestOf(token);
    tokens.set(digest.toString('hex'), {
      digest,
      user: {
        name,
        uid: uid || undefined,
        groups: [...(groups ? groups.split(',') : []), 'system:authenticated'],
        extra: {},
        origin: 'other',
      },
    });
  });
  return [...tokens.values()];
}

/** Reads CSV as Go does: a quote inside a quoted field is doubled, one inside an unquoted field is an error. */
function fieldsOf(line: string, number: number): string[] {
  const fields: string[] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (;;) {
    const match = pattern.exec(line);
    if (!match) throw new Error(`line ${number}: a quote that is not closed, or is inside a field without quotes`);
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '') return fields;
  }
}

/** `tokens.value` may change from request to request. */
export const staticTokens = (tokens: { readonly value: readonly StaticToken[] }): Authenticator => ({
  async authenticate(incoming) {
    const shown = bearerToken(incoming);
    if (shown === undefined) return undefined;
    const digest = digestOf(shown);
    let user: User | undefined;
    // All of them are compared, so that the time taken does not reveal a match.
    for (const token of tokens.value) if (timingSafeEqual(token.digest, digest)) user = token.user;
    return user;
  },
});
