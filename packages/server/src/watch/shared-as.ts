/** The key by which watchers share: equal for users who are the same to a member, whichever credential they used. */

import type { User } from '../authn/user.ts';

/**
 * These extras identify the token or certificate, for audit logs, and neither the user nor its permissions.
 * Every pod and every renewal has another one. All other extras count: an authoriser may use them, such as a pod's node.
 */
const credentialId = 'authentication.kubernetes.io/credential-id';

export const sharedAs = ({ name, uid, groups, extra, origin }: User): string =>
  JSON.stringify([
    name,
    uid ?? null,
    [...groups].sort(),
    Object.entries(extra)
      .filter(([key]) => key !== credentialId)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    origin,
  ]);
