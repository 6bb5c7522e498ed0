import { Random } from '@fleet/differential/random.ts';
import { describe, expect, it } from 'vitest';
import { allQuestions, type Question } from './questions.ts';
import { initialSteps, nextChange, stateOf } from './rbac-changes.ts';
import { allows, applied, type BindingObject, type RbacState, type RoleObject, type Rule } from './rbac-state.ts';

const rule: Rule = { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] };
const asked: Question = {
  user: 'cp-ann',
  verb: 'list',
  resource: 'configmaps',
  namespace: 'cp-one',
  name: '',
  isSelected: false,
};
const everywhere: Question = { ...asked, namespace: '' };
const role = (more: Partial<RoleObject> = {}): RoleObject => ({
  kind: 'ClusterRole',
  namespace: '',
  name: 'r',
  rules: [rule],
  ...more,
});
const bound = (more: Partial<BindingObject> = {}): BindingObject => ({
  kind: 'ClusterRoleBinding',
  namespace: '',
  name: 'b',
  subjects: [{ kind: 'User', name: 'cp-ann' }],
  role: { kind: 'ClusterRole', name: 'r' },
  ...more,
});
const state = (...objects: (RoleObject | BindingObject)[]): RbacState => stateOf(objects.map((put) => ({ put })));
const inOne = { kind: 'RoleBinding', namespace: 'cp-one' } as const;

describe('what RBAC allows', () => {
  it.each([
    ['by a binding of the cluster, everywhere', state(role(), bound()), everywhere, true],
    ['by a group', state(role(), bound({ subjects: [{ kind: 'Group', name: 'cp-red' }] })), asked, true],
    ['not by another group', state(role(), bound({ subjects: [{ kind: 'Group', name: 'cp-blue' }] })), asked, false],
    ['in the namespace of a binding', state(role(), bound(inOne)), asked, true],
    ['not beyond it', state(role(), bound(inOne)), everywhere, false],
    ['not without the role', state(bound()), asked, false],
    [
      'not by a role of another namespace',
      state(role({ kind: 'Role', namespace: 'cp-two' }), bound({ ...inOne, role: { kind: 'Role', name: 'r' } })),
      asked,
      false,
    ],
    ['wildcards', state(role({ rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }), bound()), asked, true],
    ['not all by a name', state(role({ rules: [{ ...rule, resourceNames: ['alpha'] }] }), bound()), asked, false],
    [
      'one by its name',
      state(role({ rules: [{ ...rule, resourceNames: ['alpha'] }] }), bound()),
      { ...asked, name: 'alpha' } as const,
      true,
    ],
    [
      'by what a role is aggregated from',
      state(role({ isAggregated: true, rules: [] }), role({ name: 's', isSource: true }), bound()),
      asked,
      true,
    ],
    [
      'not by a role that is no longer a part of it',
      state(role({ isAggregated: true, rules: [] }), role({ name: 's', isSource: false }), bound()),
      asked,
      false,
    ],
  ])('%s', (_, rbac, question, expected) => {
    expect(allows(rbac, question)).toBe(expected);
  });
});

describe('changes from a seed', () => {
  it('are the same for the same seed', () => {
    const run = () => {
      const random = new Random('7');
      const rbac = stateOf(initialSteps(random));
      return Array.from({ length: 20 }, () => nextChange(random, rbac));
    };
    expect(run()).toEqual(run());
  });

  it('keep some questions allowed and some refused, and often change an answer', () => {
    const random = new Random('1');
    let rbac = stateOf(initialSteps(random));
    const shares: number[] = [];
    let flips = 0;
    for (let index = 0; index < 200; index++) {
      const before = rbac;
      rbac = nextChange(random, rbac).steps.reduce(applied, rbac);
      if (allQuestions.some((one) => allows(before, one) !== allows(rbac, one))) flips++;
      shares.push(allQuestions.filter((one) => allows(rbac, one)).length / allQuestions.length);
    }
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    expect(mean).toBeGreaterThan(0.2);
    expect(mean).toBeLessThan(0.8);
    expect(Math.min(...shares)).toBeGreaterThan(0);
    expect(flips).toBeGreaterThan(60);
  });
});
