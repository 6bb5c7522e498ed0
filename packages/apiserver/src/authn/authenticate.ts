/** Who a request comes from: what carried it knows already, a bearer token says, or nobody does. */

import { unauthorized } from '@fleet/kube/status.ts';
import type { ApiRequest } from '../http/message.ts';
import { allAuthenticated, anonymous, type User } from './user.ts';

export interface TokenAnswer {
  user: User;
  /** For which of those that were asked for it counts. */
  audiences: readonly string[];
}

export interface TokenAuthenticator {
  /** Undefined: no token of mine. Throws why one that is mine does not count. */
  authenticate(token: string, audiences: readonly string[] | undefined): Promise<TokenAnswer | undefined>;
}

const webSocketProtocol = 'base64url.bearer.authorization.k8s.io.';

function bearerToken({ headers }: Pick<ApiRequest, 'headers'>): string | undefined {
  const [header = ''] = [headers['authorization'] ?? []].flat();
  const [scheme, token] = header.trim().split(' ');
  if (scheme?.toLowerCase() === 'bearer' && token) return token;
  const protocols = String(headers['sec-websocket-protocol'] ?? '').split(',');
  const encoded = protocols.map((text) => text.trim()).find((text) => text.startsWith(webSocketProtocol));
  return encoded && Buffer.from(encoded.slice(webSocketProtocol.length), 'base64url').toString();
}

const withAuthenticated = (user: User): User =>
  user.groups.includes(allAuthenticated) ? user : { ...user, groups: [...user.groups, allAuthenticated] };

/** The first that knows the token; faults are told only if none does. */
export const firstOf = (authenticators: readonly TokenAuthenticator[]): TokenAuthenticator => ({
  async authenticate(token, audiences) {
    const faults: unknown[] = [];
    for (const one of authenticators) {
      try {
        const answer = await one.authenticate(token, audiences);
        if (answer) return { ...answer, user: withAuthenticated(answer.user) };
      } catch (fault) {
        faults.push(fault);
      }
    }
    if (faults.length > 0) throw new AggregateError(faults, wordsOf(faults));
    return undefined;
  },
});

/** Several as Go's aggregate tells them. */
function wordsOf(faults: readonly unknown[]): string {
  const texts = [...new Set(faults.map((fault) => (fault instanceof Error ? fault.message : String(fault))))];
  return texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`;
}

export type Authenticate = (request: ApiRequest) => Promise<User>;

export const createAuthenticate =
  (tokens: TokenAuthenticator, anonymousAuth: boolean): Authenticate =>
  async (request) => {
    if (request.caller) return request.caller;
    const token = bearerToken(request);
    if (token === undefined) {
      if (!anonymousAuth) throw unauthorized();
      return anonymous;
    }
    // Whose fault it is that a token does not count is told to nobody here, as in kube-apiserver.
    const answer = await tokens.authenticate(token, undefined).catch(() => undefined);
    if (!answer) throw unauthorized();
    return answer.user;
  };
