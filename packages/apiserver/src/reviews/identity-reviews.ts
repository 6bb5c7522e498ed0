/** Serves SelfSubjectReview (the caller's identity) and TokenReview (that of a token). */

import { badRequest } from '@fleet/kube/status.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import type { TokenAnswer, TokenAuthenticator } from '../authn/authenticate.ts';
import { anonymous, type User } from '../authn/user.ts';
import type { AnsweredResource } from '../http/answered-resource.ts';
import { reviewResource } from './review-resource.ts';

/** kube-apiserver's authenticator of its own token comes first, with this error for every other token. */
const nobodys = 'invalid bearer token';

const group = 'authentication.k8s.io';

const userInfo = ({ name, uid, groups, extra }: User): object => ({
  username: name,
  ...(uid ? { uid } : {}),
  ...(groups.length > 0 ? { groups } : {}),
  ...(Object.keys(extra).length > 0 ? { extra } : {}),
});

/** `apiAudiences` are the default audiences of a TokenReview. */
export function identityReviews(tokens: TokenAuthenticator, apiAudiences: readonly string[]): AnsweredResource[] {
  const review = async (token: string, audiences: readonly string[]): Promise<object> => {
    // As a header it would count as absent: the request is anonymous.
    if (token.trim() === '') return { authenticated: true, user: userInfo(anonymous), audiences };
    let answer: TokenAnswer | undefined;
    try {
      answer = await tokens.authenticate(token, audiences);
    } catch (error) {
      return { user: {}, error: `[${nobodys}, ${(error as Error).message}]` };
    }
    if (!answer) return { user: {}, error: nobodys };
    return { authenticated: true, user: userInfo(answer.user), audiences: answer.audiences };
  };
  return [
    reviewResource(group, 'SelfSubjectReview', (_, { user }) => ({
      metadata: { creationTimestamp: timeText(Date.now()) },
      status: { userInfo: userInfo(user) },
    })),
    reviewResource(group, 'TokenReview', async ({ spec }) => {
      const { token, audiences = [] } = (spec as { token?: string; audiences?: string[] } | undefined) ?? {};
      if (!token) throw badRequest('token is required for TokenReview in authentication');
      return { status: await review(token, audiences.length > 0 ? audiences : apiAudiences) };
    }),
  ];
}
