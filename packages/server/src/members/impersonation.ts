/** The impersonation headers by which a member sees a user: never a name with a meaning of its own there (IMP-1, IMP-5). */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Headers } from '@fleet/client/upstream.ts';
import { perObject } from '@fleet/kube/per-object.ts';
import { forbidden } from '@fleet/kube/status.ts';
import type { User } from '../authn/user.ts';
import { type AllowedIdentities, allowedIdentities } from './allowed-identities.ts';

const accountPrefix = 'system:serviceaccount:';
const accountsGroup = 'system:serviceaccounts';

/** Renames a ServiceAccount of the control plane, which is not the member's ServiceAccount of the same name. */
const shownName = (name: string): string =>
  name.startsWith(accountPrefix) ? `fleet:serviceaccount:${name.slice(accountPrefix.length)}` : name;

const shownGroup = (group: string): string =>
  group === accountsGroup || group.startsWith(`${accountsGroup}:`) ? group.replace(/^system:/, 'fleet:') : group;

/** The groups that are sent to a member, which adds `system:authenticated` by itself. */
function groupsForMember({ groups, origin }: User, allowed: AllowedIdentities): string[] {
  return groups
    .filter((group) => group !== 'system:authenticated' && (origin === 'fleet-ca' || !group.startsWith('fleet:')))
    .map((group) => (allowed.has(group) ? group : shownGroup(group)))
    .filter((group) => !group.startsWith('system:') || allowed.has(group));
}

function nameForMember({ name, origin }: User, allowed: AllowedIdentities): string {
  if (allowed.has(name)) return name;
  const claimsOurs = name.startsWith('fleet:') && origin !== 'fleet-ca';
  const shown = shownName(name);
  if (claimsOurs || shown.startsWith('system:')) {
    throw forbidden(`User "${name}" has no identity in member clusters`);
  }
  return shown;
}

/** A member adds the groups of its own ServiceAccounts to one without groups: sending groups prevents that. */
function strangerGroups(name: string): string[] {
  if (!name.startsWith(accountPrefix)) return [];
  const [namespace] = name.slice(accountPrefix.length).split(':');
  return [accountsGroup, `${accountsGroup}:${namespace}`].map(shownGroup);
}

/** Header values are bytes in Kubernetes, latin1 in Node. */
function headerValue(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would end the header
  if (/[\u0000-\u001f\u007f]/.test(text)) throw forbidden('the user or one of its groups contains control characters');
  // Receivers trim header values: " system:masters" would arrive as a name that the rules above refuse.
  if (/^ | $/.test(text)) throw forbidden('the user or one of its groups begins or ends with a space');
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** `encodeURIComponent` does not escape parentheses, which are invalid in a header's name. */
const headerNamePart = (key: string): string =>
  encodeURIComponent(key)
    .replace(/[()]/g, (paren) => `%${paren.charCodeAt(0).toString(16)}`)
    .toLowerCase();

function headersFor(name: string, groups: readonly string[], { uid, extra }: User): Headers {
  // Without a name, the member would authorise the product's own account (SEC-5).
  if (name === '') throw forbidden('a user without a name has no identity');
  const headers: Headers = { 'impersonate-user': headerValue(name) };
  if (groups.length > 0) headers['impersonate-group'] = groups.map(headerValue);
  if (uid !== undefined) headers['impersonate-uid'] = headerValue(uid);
  for (const [key, values] of Object.entries(extra)) {
    headers[`impersonate-extra-${headerNamePart(key)}`] = values.map(headerValue);
  }
  return headers;
}

/** Throws 403 for a user whose name would mean somebody else in the member. */
export const impersonationForMember = (user: User, cluster: KubeObject | undefined): Readonly<Headers> =>
  inClusterOf(allowedIdentities(cluster))(user);

/** Cached: one user sends many requests, and all clusters without allowed names get the same headers. */
const inClusterOf = perObject((allowed: AllowedIdentities) =>
  perObject((user: User): Readonly<Headers> => {
    const [name, groups] = [nameForMember(user, allowed), groupsForMember(user, allowed)];
    return Object.freeze(headersFor(name, groups.length > 0 ? groups : strangerGroups(name), user));
  }),
);

/** The control plane knows its own users: they are sent unchanged. */
export const impersonationForControlPlane = (user: User): Headers =>
  headersFor(
    user.name,
    user.groups.filter((group) => group !== 'system:authenticated'),
    user,
  );
