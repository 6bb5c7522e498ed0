/** Who asks. */

import { perObject } from '@fleet/kube/per-object.ts';

export interface User {
  name: string;
  uid: string | undefined;
  groups: readonly string[];
  extra: Readonly<Record<string, readonly string[]>>;
  /** Where the identity was proved: names in the product's own space count only from its own CA (IMP-5). */
  origin: 'fleet-ca' | 'elsewhere';
}

export const anonymous: User = {
  name: 'system:anonymous',
  uid: undefined,
  groups: ['system:unauthenticated'],
  extra: {},
  origin: 'elsewhere',
};

/** Equal for users who may do the same; the key under which decisions are kept. */
export const userKey = perObject(({ name, uid, groups, extra }: User): string =>
  JSON.stringify([name, uid ?? '', [...groups].sort(), Object.entries(extra).sort()]),
);
