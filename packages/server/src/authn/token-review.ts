/** Bearer tokens, asked of the control plane by TokenReview. */

import { createHash } from 'node:crypto';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import { unauthorized, unavailable } from '@fleet/kube/status.ts';
import { DecisionCache } from '../decisions/decision-cache.ts';
import { tokenInProtocols } from '../http/bearer-protocol.ts';
import type { Incoming } from '../http/message.ts';
import type { Authenticator } from './authenticate.ts';
import type { User } from './user.ts';

interface TokenReview {
  status?: {
    authenticated?: boolean;
    user?: { username?: string; uid?: string; groups?: string[]; extra?: Record<string, string[]> };
  };
}

/** From the header, or from the WebSocket subprotocol. Throws 401 for one that nobody could have been given. */
export function bearerToken({ headers }: Pick<Incoming, 'headers'>): string | undefined {
  const [header = ''] = [headers['authorization'] ?? []].flat();
  const match = /^bearer +(\S+)$/i.exec(header.trim());
  return match ? match[1] : tokenInProtocols(headers);
}

export function tokenReviews(controlPlane: KubeClient): Authenticator {
  const decisions = new DecisionCache<User | undefined>();
  const review = async (token: string): Promise<User | undefined> => {
    const { status } = await controlPlane.create<TokenReview>('/apis/authentication.k8s.io/v1/tokenreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token },
    });
    const user = status?.user;
    if (!status?.authenticated || !user?.username) return undefined;
    return {
      name: user.username,
      uid: user.uid || undefined,
      groups: user.groups ?? [],
      extra: user.extra ?? {},
      origin: 'elsewhere',
    };
  };
  return {
    async authenticate(incoming) {
      const token = bearerToken(incoming);
      if (token === undefined) return undefined;
      // Hashed, so that no token is kept in memory longer than its request.
      const key = createHash('sha256').update(token).digest('base64');
      const user = await decisions
        .decide(key, () => review(token))
        .catch((cause: unknown) => {
          // Also if it was us that the control plane refused: that says nothing about this token.
          throw unavailable('the control plane cannot be asked whose token this is', undefined, { cause });
        });
      if (!user) throw unauthorized();
      return user;
    },
  };
}
