/**
 * Impersonation (`kubectl --as`): a user who is allowed to acts as another one. Newer permissions are for one kind of user and one
 * verb (`impersonate:serviceaccount` with `impersonate-on:serviceaccount:list`); the older `impersonate` is for all.
 */

import { StatusError } from '@fleet/kube/status.ts';
import type { WantedUser } from '../authn/impersonation-headers.ts';
import {
  accountGroups,
  allAuthenticated,
  allUnauthenticated,
  anonymous,
  privilegedGroup,
  readAccountName,
  type User,
} from '../authn/user.ts';
import { dnsSubdomainFaults } from '../names/name-rules.ts';
import type { Attributes, Authorizer, ResourceAttributes } from '../rbac/attributes.ts';
import { refusal } from '../rbac/forbidden.ts';

const authentication = 'authentication.k8s.io';
const nodePrefix = 'system:node:';
const nodeNameKey = 'authentication.kubernetes.io/node-name';

const readNodeName = (username: string): string | undefined => {
  const name = username.startsWith(nodePrefix) ? username.slice(nodePrefix.length) : '';
  return name && dnsSubdomainFaults(name).length === 0 ? name : undefined;
};

const isOnlyName = ({ uid, groups, extra }: WantedUser): boolean =>
  uid === '' && groups.length === 0 && Object.keys(extra).length === 0;

/** Checks permissions; throws the 403 of the first that is missing. */
class Asking {
  readonly #authorizer: Authorizer;
  readonly #caller: User;

  constructor(authorizer: Authorizer, caller: User) {
    this.#authorizer = authorizer;
    this.#caller = caller;
  }

  need(attributes: Attributes): void {
    const { allowed, reason } = this.#authorizer.decide(this.#caller, attributes);
    if (!allowed) throw refusal(this.#caller, attributes, reason);
  }

  may(attributes: Attributes): boolean {
    return this.#authorizer.decide(this.#caller, attributes).allowed;
  }

  refuse(attributes: Attributes, reason: string): StatusError {
    return refusal(this.#caller, attributes, reason);
  }
}

interface Mode {
  /** The verb of the newer permissions; undefined for the older one. */
  name: string | undefined;
  applies(wanted: WantedUser, caller: User): boolean;
}

const modes: readonly Mode[] = [
  {
    name: 'associated-node',
    applies: (wanted, caller) => {
      const node = readNodeName(wanted.name);
      const [own, ...more] = caller.extra[nodeNameKey] ?? [];
      return (
        isOnlyName(wanted) && node !== undefined && node === own && more.length === 0 && !!readAccountName(caller.name)
      );
    },
  },
  { name: 'arbitrary-node', applies: (wanted) => isOnlyName(wanted) && readNodeName(wanted.name) !== undefined },
  { name: 'serviceaccount', applies: (wanted) => isOnlyName(wanted) && readAccountName(wanted.name) !== undefined },
  { name: 'user-info', applies: ({ name }) => !readNodeName(name) && !readAccountName(name) },
  { name: undefined, applies: () => true },
];

/** With more values than this, a permission for all of them is checked first. */
const many = 4;

function withVerb(attributes: Attributes, verb: string): Attributes {
  return { ...attributes, verb };
}

function become({ name: mode }: Mode, wanted: WantedUser, request: Attributes, asking: Asking): User {
  if (mode) asking.need(withVerb(request, `impersonate-on:${mode}:${request.verb}`));
  const verb = mode ? `impersonate:${mode}` : 'impersonate';
  const group = mode ? authentication : '';
  const right = (resource: string, name: string, more: Partial<ResourceAttributes> = {}): ResourceAttributes => ({
    verb,
    group,
    resource,
    name,
    ...more,
  });
  const node = mode ? readNodeName(wanted.name) : undefined;
  const account = readAccountName(wanted.name);
  if (node) asking.need(right('nodes', mode === 'associated-node' ? '*' : node));
  else if (account) asking.need(right('serviceaccounts', account.name, { namespace: account.namespace }));
  else asking.need(right('users', wanted.name));
  if (wanted.uid) asking.need(right('uids', wanted.uid, { group: authentication }));
  needGroups(wanted.groups, mode !== undefined, asking, right);
  needExtra(wanted.extra, mode !== undefined, asking, right);
  const implied = node ? ['system:nodes'] : account ? accountGroups(account.namespace) : [];
  const groups = wanted.groups.length > 0 ? wanted.groups : implied;
  return {
    name: wanted.name,
    uid: wanted.uid || undefined,
    groups: withImplied(wanted.name, groups),
    extra: wanted.extra,
  };
}

type Right = (resource: string, name: string, more?: Partial<ResourceAttributes>) => ResourceAttributes;

function needGroups(groups: readonly string[], isConstrained: boolean, asking: Asking, right: Right): void {
  if (isConstrained && groups.includes(''))
    throw asking.refuse(right('groups', ''), 'impersonating the empty string group is not allowed');
  if (isConstrained && groups.includes(privilegedGroup))
    throw asking.refuse(right('groups', privilegedGroup), 'impersonating the system:masters group is not allowed');
  if (isConstrained && groups.length >= many && asking.may(right('groups', '*'))) return;
  for (const group of groups) asking.need(right('groups', group));
}

function needExtra(extra: WantedUser['extra'], isConstrained: boolean, asking: Asking, right: Right): void {
  const extras = (key: string, value: string) =>
    right('userextras', value, { group: authentication, subresource: key });
  const values = Object.values(extra).flat();
  if (isConstrained && values.includes(''))
    throw asking.refuse(extras('', ''), 'impersonating the empty string value in extra is not allowed');
  if (isConstrained && values.length >= many && asking.may(extras('*', '*'))) return;
  for (const [key, list] of Object.entries(extra)) for (const value of list) asking.need(extras(key, value));
}

function withImplied(name: string, groups: readonly string[]): readonly string[] {
  if (name !== anonymous.name && groups.includes(allUnauthenticated)) return groups;
  const implied = name === anonymous.name ? allUnauthenticated : allAuthenticated;
  return groups.includes(implied) ? groups : [...groups, implied];
}

export type Impersonate = (wanted: WantedUser, caller: User, request: Attributes) => User;

const mostRemembered = 10_000;

/** Throws the 403 of the first applicable mode. The mode by which the caller last succeeded is tried first. */
export function createImpersonation(authorizer: Authorizer): Impersonate {
  const last = new Map<string, Mode>();
  return (wanted, caller, request) => {
    const asking = new Asking(authorizer, caller);
    const favourite = last.get(caller.name);
    let first: StatusError | undefined;
    for (const mode of favourite ? [favourite, ...modes.filter((one) => one !== favourite)] : modes) {
      if (!mode.applies(wanted, caller)) continue;
      try {
        const user = become(mode, wanted, request, asking);
        last.set(caller.name, mode);
        if (last.size > mostRemembered) last.delete(last.keys().next().value!);
        return user;
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        first ??= error;
      }
    }
    throw first ?? new Error('no way to impersonate applies');
  };
}
