/** RBAC objects of one member, and what they allow: the rules of Kubernetes' own authoriser, written once more. */

import { groupsOf, type Question } from './questions.ts';

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface RoleObject {
  readonly kind: 'Role' | 'ClusterRole';
  /** Empty for those of the cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly rules: readonly Rule[];
  /** Its rules are part of those of every aggregated role. */
  readonly isSource?: boolean;
  /** Its rules are those of all sources. */
  readonly isAggregated?: boolean;
}

export interface Subject {
  readonly kind: 'User' | 'Group';
  readonly name: string;
}

export interface BindingObject {
  readonly kind: 'RoleBinding' | 'ClusterRoleBinding';
  readonly namespace: string;
  readonly name: string;
  readonly subjects: readonly Subject[];
  readonly role: { readonly kind: RoleObject['kind']; readonly name: string };
}

export type RbacObject = RoleObject | BindingObject;
export type Ref = Pick<RbacObject, 'kind' | 'namespace' | 'name'>;

export const isRole = (object: RbacObject): object is RoleObject =>
  object.kind === 'Role' || object.kind === 'ClusterRole';

/** Never changed: a change makes another one. */
export type RbacState = ReadonlyMap<string, RbacObject>;

export const refKey = ({ kind, namespace, name }: Ref): string => `${kind} ${namespace}/${name}`;

export type Step = { readonly put: RbacObject } | { readonly remove: Ref };

export function applied(state: RbacState, step: Step): RbacState {
  const next = new Map(state);
  if ('put' in step) next.set(refKey(step.put), step.put);
  else next.delete(refKey(step.remove));
  return next;
}

export function allows(state: RbacState, question: Question): boolean {
  for (const object of state.values()) {
    if (isRole(object) || !isBound(object, question)) continue;
    const isWide = object.kind === 'ClusterRoleBinding';
    if (!isWide && object.namespace !== question.namespace) continue;
    const { kind, name } = object.role;
    const role = state.get(refKey({ kind, name, namespace: kind === 'Role' ? object.namespace : '' }));
    if (role && isRole(role) && rulesOf(state, role).some((rule) => matches(rule, question))) return true;
  }
  return false;
}

const isBound = ({ subjects }: BindingObject, { user }: Question): boolean =>
  subjects.some(({ kind, name }) => (kind === 'User' ? name === user : groupsOf(user).includes(name)));

function rulesOf(state: RbacState, role: RoleObject): readonly Rule[] {
  if (!role.isAggregated) return role.rules;
  return [...state.values()].flatMap((other) => (isRole(other) && other.isSource ? other.rules : []));
}

function matches({ apiGroups, resources, verbs, resourceNames = [] }: Rule, asked: Question): boolean {
  const has = (list: readonly string[], one: string) => list.includes('*') || list.includes(one);
  if (!has(verbs, asked.verb) || !has(apiGroups, '') || !has(resources, asked.resource)) return false;
  // There is no wildcard among names, and a question without one matches none.
  return resourceNames.length === 0 || resourceNames.includes(asked.name);
}
