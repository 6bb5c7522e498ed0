/** As whom a member sees a user: never as one of the member's own (IMP-1, IMP-5). */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Headers } from '@fleet/client/upstream.ts';
import { perObject } from '@fleet/kube/per-object.ts';
import { forbidden } from '@fleet/kube/status.ts';
import type { User } from '../authn/user.ts';
import { type AllowedIdentities, allowedIdentities } from './allowed-identities.ts';

const accountPrefix = 'system:serviceaccount:';
const accountsGroup = 'system:serviceaccounts';

/** A ServiceAccount of the control plane is not the member's ServiceAccount of the same name. */
const shownName = (name: string): string =>
  name.startsWith(accountPrefix) ? `fleet:serviceaccount:${name.slice(accountPrefix.length)}` : name;

const shownGroup = (group: string): string =>
  group === accountsGroup || group.startsWith(`${accountsGroup}:`) ? group.replace(/^system:/, 'fleet:') : group;

/** The groups a member may be told; `system:authenticated` it adds by itself. */
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

/** A member gives a ServiceAccount without groups those of its own accounts; these keep it from doing so. */
function strangerGroups(name: string): string[] {
  if (!name.startsWith(accountPrefix)) return [];
  const [namespace] = name.slice(accountPrefix.length).split(':');
  return [accountsGroup, `${accountsGroup}:${namespace}`].map(shownGroup);
}

/** Header values are bytes to Kubernetes, latin1 to Node. */
function headerValue(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would end the header
  if (/[\u0000-\u001f\u007f]/.test(text)) throw forbidden('the user or one of its groups contains control characters');
  // Receivers trim header values: " system:masters" would arrive as what the rules above keep out.
  if (/^ | $/.test(text)) throw forbidden('the user or one of its groups begins or ends with a space');
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Parentheses are left by `encodeURIComponent`, but cannot stand in a header's name. */
const headerNamePart = (key: string): string =>
  encodeURIComponent(key)
    .replace(/[()]/g, (paren) => `%${paren.charCodeAt(0).toString(16)}`)
    .toLowerCase();

function headersFor(name: string, groups: readonly string[], { uid, extra }: User): Headers {
  // Whoever gets no name takes the request for the product's own (SEC-5).
  if (name === '') throw forbidden('a user without a name has no identity');
  const headers: Headers = { 'impersonate-user': headerValue(name) };
  if (groups.length > 0) headers['impersonate-group'] = groups.map(headerValue);
  if (uid !== undefined) headers['impersonate-uid'] = headerValue(uid);
  for (const [key, values] of Object.entries(extra)) {
    headers[`impersonate-extra-${headerNamePart(key)}`] = values.map(headerValue);
  }
  return headers;
}

/** Throws 403 for a user who would be somebody else in the cluster's member. */
export const impersonationForMember = (user: User, cluster: KubeObject | undefined): Readonly<Headers> =>
  inClusterOf(allowedIdentities(cluster))(user);

/** One user sends many requests, and clusters that let nobody through show all of them the same. */
const inClusterOf = perObject((allowed: AllowedIdentities) =>
  perObject((user: User): Readonly<Headers> => {
    const [name, groups] = [nameForMember(user, allowed), groupsForMember(user, allowed)];
    return Object.freeze(headersFor(name, groups.length > 0 ? groups : strangerGroups(name), user));
  }),
);

/** The control plane knows its own users: they are impersonated as they are. */
export const impersonationForControlPlane = (user: User): Headers =>
  headersFor(
    user.name,
    user.groups.filter((group) => group !== 'system:authenticated'),
    user,
  );
