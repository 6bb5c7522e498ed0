/** Who a request comes from: the first authenticator that knows the proof shown decides. */

import { unauthorized } from '@fleet/kube/status.ts';
import type { Incoming } from '../http/message.ts';
import { anonymous, type User } from './user.ts';

export interface Authenticator {
  /** Undefined: this is no proof of mine. Throws 401 if it is one and it is bad. */
  authenticate(incoming: Incoming): Promise<User | undefined>;
}

export const firstOf = (authenticators: readonly Authenticator[], anonymousAuth: boolean) => ({
  async authenticate(incoming: Incoming): Promise<User> {
    for (const authenticator of authenticators) {
      const user = await authenticator.authenticate(incoming);
      if (user) return user;
    }
    // Who tried to prove something and failed is not anonymous: kubectl should say so, as it does of kube-apiserver.
    if (!anonymousAuth || incoming.untrustedCertificate) throw unauthorized();
    return anonymous;
  },
});
