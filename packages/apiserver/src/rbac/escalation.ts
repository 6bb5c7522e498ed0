/** Nobody gives what they do not have: the checks of roles and bindings before they are written. */

import { isDeepStrictEqual } from 'node:util';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { notFound, StatusError } from '@fleet/kube/status.ts';
import { isPrivileged, type User } from '../authn/user.ts';
import { quoted } from '../errors/quoted.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { Authorizer } from './attributes.ts';
import { faultsAsText } from './authorizer.ts';
import { type Binding, bindingOf } from './binding-index.ts';
import { describeRules, listedGroups, missingRules } from './covers.ts';
import { notAllowed } from './forbidden.ts';
import type { PolicyRule } from './policy-rule.ts';
import { type RuleResolver, rulesOf } from './rule-resolver.ts';

export interface RbacWrite {
  user: User;
  ask: Pick<ResourceRequest, 'group' | 'resource' | 'name' | 'namespace'>;
  object: KubeObject;
  old: KubeObject | undefined;
}

/** Throws what kube-apiserver answers. */
export type Guard = (write: RbacWrite) => Promise<void>;

const group = 'rbac.authorization.k8s.io';

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** Lets the garbage collector do its work. */
function changesOnlyOwners({ metadata, ...rest }: KubeObject, old: KubeObject | undefined): boolean {
  if (!old) return false;
  const { ownerReferences, finalizers, managedFields } = old.metadata;
  const settled = { ...metadata, ownerReferences, finalizers, managedFields };
  return isDeepStrictEqual(withoutNothing({ ...rest, metadata: settled }), withoutNothing({ ...old }));
}

const withoutNothing = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

export function createGuards(authorizer: Authorizer, rules: RuleResolver): { roles: Guard; bindings: Guard } {
  const confirm = (user: User, namespace: string, wanted: readonly PolicyRule[]): string | undefined => {
    const found = [...rules.rulesFor(user, namespace)];
    const owned = found.flatMap((one) => ('rule' in one ? [one.rule] : []));
    const missing = missingRules(owned, wanted);
    if (missing.length === 0) return undefined;
    const faults = found.flatMap((one) => ('fault' in one ? [one.fault] : []));
    const unresolved = faults.length > 0 ? `; resolution errors: [${faultsAsText(faults)}]` : '';
    return `user ${quoted(user.name)} (groups=${listedGroups(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}${unresolved}`;
  };

  const roles: Guard = async ({ user, ask, object, old }) => {
    const { resource, name = '', namespace = '' } = ask;
    if (isPrivileged(user)) return;
    if (authorizer.decide(user, { verb: 'escalate', group, resource, name, namespace }).allowed) return;
    if (changesOnlyOwners(object, old)) return;
    const refuse = (why: string): StatusError => notAllowed({ group, resource }, object.metadata.name ?? '', why);
    const why = confirm(user, namespace, rulesOf(object));
    if (why) throw refuse(why);
    const isAggregated = [object, old].some((role) => role && hasAggregation(role));
    if (isAggregated && confirm(user, '', everything))
      throw refuse('must have cluster-admin privileges to use the aggregationRule');
  };

  const bindings: Guard = async ({ user, ask, object, old }) => {
    const { resource, namespace = '' } = ask;
    if (isPrivileged(user) || changesOnlyOwners(object, old)) return;
    const { roleRef = { kind: '', name: '' } } = bindingOf(object);
    if (mayBind(authorizer, user, roleRef, namespace)) return;
    // From the store: a role that was made just now may be bound.
    const wanted = await rules.storedRules(roleRef, namespace).catch((error: unknown) => {
      // kube-apiserver names the resource of the request, whatever was not found.
      if (error instanceof StatusError && error.code === 404) throw notFound({ group, resource }, roleRef.name);
      throw error;
    });
    const why = confirm(user, namespace, wanted);
    if (why) throw notAllowed({ group, resource }, object.metadata.name ?? '', why);
  };
  return { roles, bindings };
}

function mayBind(authorizer: Authorizer, user: User, { kind, name }: Binding['roleRef'], namespace: string): boolean {
  if (kind !== 'ClusterRole' && kind !== 'Role') return false;
  const resource = kind === 'ClusterRole' ? 'clusterroles' : 'roles';
  return authorizer.decide(user, { verb: 'bind', group, resource, name, namespace }).allowed;
}

const hasAggregation = ({ aggregationRule }: KubeObject): boolean =>
  ((aggregationRule as { clusterRoleSelectors?: unknown[] } | undefined)?.clusterRoleSelectors ?? []).length > 0;
