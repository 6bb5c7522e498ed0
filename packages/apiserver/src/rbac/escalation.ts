/** Prevents privilege escalation: checks roles and bindings before they are written. */

import { isDeepStrictEqual } from 'node:util';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { notFound, StatusError } from '@fleet/kube/status.ts';
import { isPrivileged, type User } from '../authn/user.ts';
import { quoted } from '../errors/quoted.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { TooLargeHere } from '../registry/resource-context.ts';
import type { Attributes, Decision } from './attributes.ts';
import { faultsAsText } from './authorizer.ts';
import { type Binding, bindingOf } from './binding-index.ts';
import { describeRules, listedGroups, missingRules, piecesIn } from './covers.ts';
import { notAllowed } from './forbidden.ts';
import type { PolicyRule } from './policy-rule.ts';
import { type Granted, rulesOf, type Unresolved } from './rule-resolver.ts';

export interface RbacWrite {
  user: User;
  ask: Pick<ResourceRequest, 'group' | 'resource' | 'name' | 'namespace'>;
  object: KubeObject;
  old: KubeObject | undefined;
}

/** Access to RBAC decisions: directly, or through the thread that has them. */
export interface Permissions {
  decide(user: User, attributes: Attributes): Decision | Promise<Decision>;
  rulesFor(user: User, namespace: string): Iterable<Found> | Promise<Iterable<Found>>;
  storedRules(role: Binding['roleRef'], namespace: string): Promise<readonly PolicyRule[]>;
}

export type Found = Granted | Unresolved;

/** Throws the error of kube-apiserver. */
export type Guard = (write: RbacWrite) => Promise<void>;

const group = 'rbac.authorization.k8s.io';

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** Such changes are needed by the garbage collector. */
function changesOnlyOwners({ metadata, ...rest }: KubeObject, old: KubeObject | undefined): boolean {
  if (!old) return false;
  const { ownerReferences, finalizers, managedFields } = old.metadata;
  const settled = { ...metadata, ownerReferences, finalizers, managedFields };
  return isDeepStrictEqual(withoutNothing({ ...rest, metadata: settled }), withoutNothing({ ...old }));
}

const withoutNothing = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** `mostSteps` limits comparisons of rules on this thread; beyond it `TooLargeHere` is thrown. */
export function createGuards(
  permissions: Permissions,
  mostSteps = Number.POSITIVE_INFINITY,
): { roles: Guard; bindings: Guard } {
  const confirm = async (
    user: User,
    namespace: string,
    granted: readonly PolicyRule[],
  ): Promise<string | undefined> => {
    const found = [...(await permissions.rulesFor(user, namespace))];
    const owned = found.flatMap((one) => ('rule' in one ? [one.rule] : []));
    if (piecesIn(granted) * (owned.length + 1) > mostSteps) throw new TooLargeHere();
    const missing = missingRules(owned, granted);
    if (missing.length === 0) return undefined;
    const faults = found.flatMap((one) => ('fault' in one ? [one.fault] : []));
    const unresolved = faults.length > 0 ? `; resolution errors: [${faultsAsText(faults)}]` : '';
    return `user ${quoted(user.name)} (groups=${listedGroups(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}${unresolved}`;
  };

  const roles: Guard = async ({ user, ask, object, old }) => {
    const { resource, name = '', namespace = '' } = ask;
    if (isPrivileged(user)) return;
    if ((await permissions.decide(user, { verb: 'escalate', group, resource, name, namespace })).allowed) return;
    if (changesOnlyOwners(object, old)) return;
    const refuse = (why: string): StatusError => notAllowed({ group, resource }, object.metadata.name ?? '', why);
    const why = await confirm(user, namespace, rulesOf(object));
    if (why) throw refuse(why);
    const isAggregated = [object, old].some((role) => role && hasAggregation(role));
    if (isAggregated && (await confirm(user, '', everything)))
      throw refuse('must have cluster-admin privileges to use the aggregationRule');
  };

  const bindings: Guard = async ({ user, ask, object, old }) => {
    const { resource, namespace = '' } = ask;
    if (isPrivileged(user) || changesOnlyOwners(object, old)) return;
    const { roleRef = { kind: '', name: '' } } = bindingOf(object);
    if (await canBind(permissions, user, roleRef, namespace)) return;
    // From the store, as a newly created role may be bound.
    const granted = await permissions.storedRules(roleRef, namespace).catch((error: unknown) => {
      // kube-apiserver names the resource of the request, whatever was not found.
      if (error instanceof StatusError && error.code === 404) throw notFound({ group, resource }, roleRef.name);
      throw error;
    });
    const why = await confirm(user, namespace, granted);
    if (why) throw notAllowed({ group, resource }, object.metadata.name ?? '', why);
  };
  return { roles, bindings };
}

async function canBind(
  permissions: Permissions,
  user: User,
  { kind, name }: Binding['roleRef'],
  namespace: string,
): Promise<boolean> {
  if (kind !== 'ClusterRole' && kind !== 'Role') return false;
  const resource = kind === 'ClusterRole' ? 'clusterroles' : 'roles';
  return (await permissions.decide(user, { verb: 'bind', group, resource, name, namespace })).allowed;
}

const hasAggregation = ({ aggregationRule }: KubeObject): boolean =>
  ((aggregationRule as { clusterRoleSelectors?: unknown[] } | undefined)?.clusterRoleSelectors ?? []).length > 0;
