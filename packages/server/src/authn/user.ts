/** The user who sent a request. */

import { perObject } from '@fleet/kube/per-object.ts';

export interface User {
  name: string;
  uid: string | undefined;
  groups: readonly string[];
  extra: Readonly<Record<string, readonly string[]>>;
  /** Which CA or authenticator proved it: names reserved for the product count only with its own CA (IMP-5). */
  origin: 'fleet-ca' | 'other';
}

export const anonymous: User = {
  name: 'system:anonymous',
  uid: undefined,
  groups: ['system:unauthenticated'],
  extra: {},
  origin: 'other',
};

/** The key of cached decisions: equal for users with the same permissions. */
export const userKey = perObject(({ name, uid, groups, extra }: User): string =>
  JSON.stringify([name, uid ?? '', [...groups].sort(), Object.entries(extra).sort()]),
);
