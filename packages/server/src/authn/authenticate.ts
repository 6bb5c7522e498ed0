/** Who a request comes from: the first authenticator that knows the proof shown decides. */

import { StatusError, unauthorized } from '@fleet/kube/status.ts';
import type { Incoming } from '../http/message.ts';
import { anonymous, type User } from './user.ts';

export interface Authenticator {
  /** Undefined: this is no proof of mine. Throws 401 if it is one and it is bad. */
  authenticate(incoming: Incoming): Promise<User | undefined>;
}

/** Of `openPaths` anybody who may be anonymous learns all the same: whose token it is need not be known (SEC-6). */
export const firstOf = (
  authenticators: readonly Authenticator[],
  anonymousAuth: boolean,
  openPaths: ReadonlySet<string> = new Set(),
) => {
  const first = async (incoming: Incoming): Promise<User> => {
    for (const authenticator of authenticators) {
      const user = await authenticator.authenticate(incoming);
      // Whatever vouches for a user without a name (SEC-5).
      if (user?.name === '') throw unauthorized();
      if (user) return user;
    }
    // Who tried to prove something and failed is not anonymous: kubectl should say so, as it does of kube-apiserver.
    if (!anonymousAuth || incoming.untrustedCertificate) throw unauthorized();
    return anonymous;
  };
  return {
    authenticate: (incoming: Incoming): Promise<User> =>
      first(incoming).catch((error: unknown) => {
        const isUnknown = anonymousAuth && error instanceof StatusError && error.code === 503;
        if (isUnknown && openPaths.has(incoming.url.split('?')[0]!)) return anonymous;
        throw error;
      }),
  };
};
