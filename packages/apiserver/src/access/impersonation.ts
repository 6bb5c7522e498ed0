/**
 * Impersonation (`kubectl --as`): a user who is allowed to acts as another one. Newer permissions are for one kind of user and one
 * verb (`impersonate:serviceaccount` with `impersonate-on:serviceaccount:list`); the older `impersonate` is for all.
 */

import { StatusError } from '@fleet/kube/status.ts';
import type { ImpersonatedUser } from '../authn/impersonation-headers.ts';
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

const isOnlyName = ({ uid, groups, extra }: ImpersonatedUser): boolean =>
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
  applies(target: ImpersonatedUser, caller: User): boolean;
}

const modes: readonly Mode[] = [
  {
    name: 'associated-node',
    applies: (target, caller) => {
      const node = readNodeName(target.name);
      const [own, ...more] = caller.extra[nodeNameKey] ?? [];
      return (
        isOnlyName(target) && node !== undefined && node === own && more.length === 0 && !!readAccountName(caller.name)
      );
    },
  },
  { name: 'arbitrary-node', applies: (target) => isOnlyName(target) && readNodeName(target.name) !== undefined },
  { name: 'serviceaccount', applies: (target) => isOnlyName(target) && readAccountName(target.name) !== undefined },
  { name: 'user-info', applies: ({ name }) => !readNodeName(name) && !readAccountName(name) },
  { name: undefined, applies: () => true },
];

/** With more values than this, a permission for all of them is checked first. */
const many = 4;

function withVerb(attributes: Attributes, verb: string): Attributes {
  return { ...attributes, verb };
}

function become({ name: mode }: Mode, target: ImpersonatedUser, request: Attributes, asking: Asking): User {
  if (mode) asking.need(withVerb(request, `impersonate-on:${mode}:${request.verb}`));
  const verb = mode ? `impersonate:${mode}` : 'impersonate';
  const group = mode ? authentication : '';
  const permission = (resource: string, name: string, more: Partial<ResourceAttributes> = {}): ResourceAttributes => ({
    verb,
    group,
    resource,
    name,
    ...more,
  });
  const node = mode ? readNodeName(target.name) : undefined;
  const account = readAccountName(target.name);
  if (node) asking.need(permission('nodes', mode === 'associated-node' ? '*' : node));
  else if (account) asking.need(permission('serviceaccounts', account.name, { namespace: account.namespace }));
  else asking.need(permission('users', target.name));
  if (target.uid) asking.need(permission('uids', target.uid, { group: authentication }));
  needGroups(target.groups, mode !== undefined, asking, permission);
  needExtra(target.extra, mode !== undefined, asking, permission);
  const implied = node ? ['system:nodes'] : account ? accountGroups(account.namespace) : [];
  const groups = target.groups.length > 0 ? target.groups : implied;
  return {
    name: target.name,
    uid: target.uid || undefined,
    groups: withImplied(target.name, groups),
    extra: target.extra,
  };
}

type Permission = (resource: string, name: string, more?: Partial<ResourceAttributes>) => ResourceAttributes;

function needGroups(groups: readonly string[], isConstrained: boolean, asking: Asking, permission: Permission): void {
  if (isConstrained && groups.includes(''))
    throw asking.refuse(permission('groups', ''), 'impersonating the empty string group is not allowed');
  if (isConstrained && groups.includes(privilegedGroup))
    throw asking.refuse(permission('groups', privilegedGroup), 'impersonating the system:masters group is not allowed');
  if (isConstrained && groups.length >= many && asking.may(permission('groups', '*'))) return;
  for (const group of groups) asking.need(permission('groups', group));
}

function needExtra(
  extra: ImpersonatedUser['extra'],
  isConstrained: boolean,
  asking: Asking,
  permission: Permission,
): void {
  const extras = (key: string, value: string) =>
    permission('userextras', value, { group: authentication, subresource: key });
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

export type Impersonate = (target: ImpersonatedUser, caller: User, request: Attributes) => User;

const mostRemembered = 10_000;

/** Throws the 403 of the first applicable mode. The mode by which the caller last succeeded is tried first. */
export function createImpersonation(authorizer: Authorizer): Impersonate {
  const last = new Map<string, Mode>();
  return (target, caller, request) => {
    const asking = new Asking(authorizer, caller);
    const favourite = last.get(caller.name);
    let first: StatusError | undefined;
    for (const mode of favourite ? [favourite, ...modes.filter((one) => one !== favourite)] : modes) {
      if (!mode.applies(target, caller)) continue;
      try {
        const user = become(mode, target, request, asking);
        last.set(caller.name, mode);
        if (last.size > mostRemembered) last.delete(last.keys().next().value!);
        return user;
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        first ??= error;
      }
    }
    throw first ?? new Error('no mode of impersonation applies');
  };
}
