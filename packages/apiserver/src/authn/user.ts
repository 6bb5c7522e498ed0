/** The user of a request. */

export interface User {
  name: string;
  uid?: string | undefined;
  groups: readonly string[];
  extra: Readonly<Record<string, readonly string[]>>;
}

export const allAuthenticated = 'system:authenticated';
export const allUnauthenticated = 'system:unauthenticated';
/** Is allowed everything: the server's own requests are made in this group. */
export const privilegedGroup = 'system:masters';

export const anonymous: User = { name: 'system:anonymous', groups: [allUnauthenticated], extra: {} };

export const privileged = (name: string): User => ({
  name,
  groups: [privilegedGroup, allAuthenticated],
  extra: {},
});

export const isPrivileged = ({ groups }: User): boolean => groups.includes(privilegedGroup);

const serviceAccountName =
  /^system:serviceaccount:([a-z0-9](?:[-a-z0-9]*[a-z0-9])?):([a-z0-9](?:[-.a-z0-9]*[a-z0-9])?)$/;
const longestNamespace = 63;

export interface AccountName {
  namespace: string;
  name: string;
}

/** Undefined if it is not the user name of a ServiceAccount. */
export function readAccountName(username: string): AccountName | undefined {
  const [, namespace, name] = serviceAccountName.exec(username) ?? [];
  const isOne = namespace !== undefined && namespace.length <= longestNamespace && name !== undefined;
  return isOne ? { namespace, name } : undefined;
}

export const accountUser = ({ namespace, name }: AccountName): string => `system:serviceaccount:${namespace}:${name}`;

/** Without system:authenticated. */
export const accountGroups = (namespace: string): string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];
