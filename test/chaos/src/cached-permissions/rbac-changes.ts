/** RBAC objects from a seed: those of the beginning, and one change after the other. */

import type { Random } from '@fleet/differential/random.ts';
import { groupNames, names, namespaces, resources, userNames } from './questions.ts';
import {
  applied,
  type BindingObject,
  type RbacState,
  type Ref,
  type RoleObject,
  type Rule,
  refKey,
  type Step,
  type Subject,
} from './rbac-state.ts';

export interface Change {
  readonly what: string;
  /** One after the other: in between is a state of its own. */
  readonly steps: readonly Step[];
}

const clusterRoles = ['cp-r0', 'cp-r1', 'cp-r2', 'cp-s0', 'cp-s1', 'cp-sum'] as const;
const sources: ReadonlySet<string> = new Set(['cp-s0', 'cp-s1']);
const roles = ['cp-r0', 'cp-r1'] as const;

const roleRefs: readonly Ref[] = [
  ...clusterRoles.map((name) => ({ kind: 'ClusterRole', namespace: '', name }) as const),
  ...namespaces.flatMap((namespace) => roles.map((name) => ({ kind: 'Role', namespace, name }) as const)),
];
type BindingRef = Ref & Pick<BindingObject, 'kind'>;
const bindingRefs: readonly BindingRef[] = ['cp-b0', 'cp-b1', 'cp-b2', 'cp-b3'].flatMap((name) => [
  { kind: 'ClusterRoleBinding', namespace: '', name } as const,
  ...namespaces.map((namespace) => ({ kind: 'RoleBinding', namespace, name }) as const),
]);

function ruleOf(random: Random): Rule {
  const resourceNames = random.weighted<readonly string[] | undefined>([
    [6, undefined],
    [2, [random.pick(names)]],
    [1, names],
  ]);
  return {
    apiGroups: random.chance(0.8) ? [''] : ['*'],
    resources: random.weighted<readonly string[]>([
      [5, [random.pick(resources)]],
      [2, resources],
      [1, ['*']],
    ]),
    verbs: random.weighted<readonly string[]>([
      [6, ['get', 'list', 'watch']],
      [1, ['*']],
      [1, ['get', 'list']],
      [1, ['get', 'watch']],
      [1, ['get']],
    ]),
    ...(resourceNames === undefined ? {} : { resourceNames }),
  };
}

function roleOf(random: Random, { kind, namespace, name }: Ref): RoleObject {
  const rules = [ruleOf(random), ...(random.chance(0.3) ? [ruleOf(random)] : [])];
  const role = { kind: kind as RoleObject['kind'], namespace, name, rules };
  if (name === 'cp-sum') return { ...role, rules: [], isAggregated: true };
  return sources.has(name) ? { ...role, isSource: random.chance(0.7) } : role;
}

function subjectsOf(random: Random): Subject[] {
  const one = (): Subject =>
    random.chance(0.5)
      ? { kind: 'User', name: random.pick(userNames) }
      : { kind: 'Group', name: random.pick(groupNames) };
  return random.chance(0.5) ? [one()] : [one(), one()];
}

function bindingOf(random: Random, ref: BindingRef): BindingObject {
  const isOwn = ref.kind === 'RoleBinding' && random.chance(0.5);
  const role = isOwn
    ? ({ kind: 'Role', name: random.pick(roles) } as const)
    : ({ kind: 'ClusterRole', name: random.pick(clusterRoles) } as const);
  return { ...ref, subjects: subjectsOf(random), role };
}

export const initialSteps = (random: Random): Step[] => [
  ...roleRefs.map((ref) => ({ put: roleOf(random, ref) })),
  ...bindingRefs.filter(() => random.chance(0.8)).map((ref) => ({ put: bindingOf(random, ref) })),
];

export const stateOf = (steps: readonly Step[]): RbacState =>
  steps.reduce<RbacState>((state, step) => applied(state, step), new Map());

export function nextChange(random: Random, state: RbacState): Change {
  const of = (what: string, about: Ref, ...steps: Step[]): Change => ({ what: `${what} ${refKey(about)}`, steps });
  const [binding, role] = [bindingRefs, roleRefs].map((refs) => refs.filter((ref) => !state.has(refKey(ref))));
  // What is missing comes back, so that there is always something to take away.
  const isMissed = (missing: readonly Ref[]) => random.chance(missing.length * 0.15);
  if (isMissed(role!)) return roleChange(random, state, of, random.pick(role!));
  if (isMissed(binding!)) return bindingChange(random, state, of, random.pick(binding!) as BindingRef);
  return random.chance(0.6) ? bindingChange(random, state, of) : roleChange(random, state, of);
}

type Making = (what: string, about: Ref, ...steps: Step[]) => Change;

function bindingChange(random: Random, state: RbacState, of: Making, ref = random.pick(bindingRefs)): Change {
  const found = state.get(refKey(ref)) as BindingObject | undefined;
  if (!found) return of('bind', ref, { put: bindingOf(random, ref) });
  return random.weighted<() => Change>([
    [3, () => of('delete', ref, { remove: ref })],
    [2, () => of('other subjects of', ref, { put: { ...found, subjects: subjectsOf(random) } })],
    [2, () => of('make anew', ref, { remove: ref }, { put: bindingOf(random, ref) })],
  ])();
}

function roleChange(random: Random, state: RbacState, of: Making, ref = random.pick(roleRefs)): Change {
  const found = state.get(refKey(ref)) as RoleObject | undefined;
  if (!found) return of('create', ref, { put: roleOf(random, ref) });
  // An update would empty it until the controller has filled it again.
  if (found.isAggregated) return of('delete', ref, { remove: ref });
  const toggled = { ...found, isSource: !found.isSource };
  return random.weighted<() => Change>([
    [3, () => of('edit', ref, { put: roleOf(random, ref) })],
    [1, () => of('delete', ref, { remove: ref })],
    [sources.has(ref.name) ? 3 : 0, () => of(toggled.isSource ? 'label' : 'unlabel', ref, { put: toggled })],
  ])();
}

/** Whether a part of it is the work of a controller, which comes a little later: what roles are aggregated from. */
export const isIndirect = (step: Step): boolean => {
  const { name } = 'put' in step ? step.put : step.remove;
  return sources.has(name) || name === 'cp-sum';
};
