/** Authenticates bearer tokens by a TokenReview in the control plane. */

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

/** From the header, or from the WebSocket subprotocol. Throws 401 for a malformed one. */
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
      origin: 'other',
    };
  };
  return {
    async authenticate(incoming) {
      const token = bearerToken(incoming);
      if (token === undefined) return undefined;
      // Hashed, so that no token stays in memory longer than its request.
      const key = createHash('sha256').update(token).digest('base64');
      const user = await decisions
        .decide(key, () => review(token))
        .catch((cause: unknown) => {
          // Also if the control plane refused the product's own credential: that does not make this token invalid.
          throw unavailable('the control plane cannot review this token', undefined, { cause });
        });
      if (!user) throw unauthorized();
      return user;
    },
  };
}
