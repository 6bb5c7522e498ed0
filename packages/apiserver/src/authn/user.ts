/** Who asks. */

export interface User {
  name: string;
  uid?: string | undefined;
  groups: readonly string[];
  extra: Readonly<Record<string, readonly string[]>>;
}

export const allAuthenticated = 'system:authenticated';
export const allUnauthenticated = 'system:unauthenticated';
/** May do everything: what the server asks of itself is asked as this. */
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

/** Undefined if it is not the name of a ServiceAccount's user. */
export function readAccountName(username: string): AccountName | undefined {
  const [, namespace, name] = serviceAccountName.exec(username) ?? [];
  const isOne = namespace !== undefined && namespace.length <= longestNamespace && name !== undefined;
  return isOne ? { namespace, name } : undefined;
}

export const accountUser = ({ namespace, name }: AccountName): string => `system:serviceaccount:${namespace}:${name}`;

/** Without the one that everybody has who has proved anything. */
export const accountGroups = (namespace: string): string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];
