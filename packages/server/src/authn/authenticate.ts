/** Authenticates a request: the first authenticator that recognises the credential decides. */

import { StatusError, unauthorized } from '@fleet/kube/status.ts';
import type { Incoming } from '../http/message.ts';
import { anonymous, type User } from './user.ts';

export interface Authenticator {
  /** Undefined: the request has no credential of this kind. Throws 401 if it has one that is invalid. */
  authenticate(incoming: Incoming): Promise<User | undefined>;
}

/** `openPaths` are answered even if the token cannot be checked, where anonymous requests are allowed (SEC-6). */
export const firstOf = (
  authenticators: readonly Authenticator[],
  anonymousAuth: boolean,
  openPaths: ReadonlySet<string> = new Set(),
) => {
  const first = async (incoming: Incoming): Promise<User> => {
    for (const authenticator of authenticators) {
      const user = await authenticator.authenticate(incoming);
      // An empty user name is refused, whichever authenticator returned it (SEC-5).
      if (user?.name === '') throw unauthorized();
      if (user) return user;
    }
    // A request with an invalid credential is not anonymous: it gets 401, as from kube-apiserver.
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
