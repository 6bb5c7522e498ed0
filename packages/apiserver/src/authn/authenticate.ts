/** Authenticates a request: by its connection, by a bearer token, or as anonymous. */

import { unauthorized } from '@fleet/kube/status.ts';
import type { ApiRequest } from '../http/message.ts';
import { allAuthenticated, anonymous, type User } from './user.ts';

export interface TokenAnswer {
  user: User;
  /** The requested audiences for which the token is valid. */
  audiences: readonly string[];
}

export interface TokenAuthenticator {
  /** Undefined if the token is not of this authenticator. Throws if it is, and is invalid. */
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

/** The result of the first that recognises the token; errors are only thrown if none does. */
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

/** Several errors in the format of Go's aggregate. */
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
    // As in kube-apiserver, the reason why a token is invalid is not reported here.
    const answer = await tokens.authenticate(token, undefined).catch(() => undefined);
    if (!answer) throw unauthorized();
    return answer.user;
  };
