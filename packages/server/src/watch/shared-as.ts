/** As whom watchers share: those who are the same user to a member, whichever credential they came with. */

import type { User } from '../authn/user.ts';

/**
 * Says by which token or certificate somebody came, and nothing about who they are or what they may do: it is for audit logs.
 * Every pod and every renewal has another one. All other extras stay: an authoriser may decide by them, as by a pod's node.
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
