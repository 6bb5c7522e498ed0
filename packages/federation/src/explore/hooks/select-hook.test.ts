import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupVersionOf, type Hook, type HookRule } from './hook-model.ts';
import { concerns, createHookIndex, type HookTarget } from './select-hook.ts';
import { hookOf } from './testing/sample-hooks.ts';

const target = (more: Partial<HookTarget> = {}): HookTarget => ({
  apiVersion: 'workload.example.io/v1alpha1',
  kind: 'Workload',
  facts: { plural: 'workloads', namespaced: true },
  ...more,
});

const [sample] = hookOf().rules;
const ruled = (more: Partial<HookRule>, hook: Partial<Hook> = {}): Hook =>
  hookOf({ ...hook, rules: [{ ...sample!, ...more }] });
const namesOf = (hooks: Hook[], what = target()): string[] =>
  createHookIndex(hooks)
    .matching('replica', what)
    .map(({ configuration, name }) => `${configuration}/${name}`);

describe('createHookIndex', () => {
  it('EXP-7: the first by the name of the configuration, then of the hook', () => {
    const hooks = [
      hookOf({ configuration: 'b', name: 'a.example' }),
      hookOf({ configuration: 'a', name: 'z.example' }),
      hookOf({ configuration: 'a', name: 'b.example' }),
      hookOf({ configuration: 'B', name: 'y.example' }),
    ];
    const sorted = ['B/y.example', 'a/b.example', 'a/z.example', 'b/a.example'];
    expect(namesOf(hooks)).toEqual(sorted);
    expect(namesOf(hooks.toReversed())).toEqual(sorted);
  });

  it.each<[string, Partial<HookRule>, boolean]>([
    ['its group', {}, true],
    ['another group', { groups: ['example.io'] }, false],
    ['* as group', { groups: ['*'] }, true],
    ['its version', { versions: ['v1', 'v1alpha1'] }, true],
    ['another version', { versions: ['v1'] }, false],
    ['* as resource', { what: { by: 'resource', resources: ['*'], scope: '*' } }, true],
    ['*/* as resource', { what: { by: 'resource', resources: ['*/*'], scope: '*' } }, true],
    ['a resource with its subresources', { what: { by: 'resource', resources: ['workloads/*'], scope: '*' } }, true],
    ['a subresource', { what: { by: 'resource', resources: ['workloads/status'], scope: '*' } }, false],
    ['another resource', { what: { by: 'resource', resources: ['Workload'], scope: '*' } }, false],
    ['another scope', { what: { by: 'resource', resources: ['workloads'], scope: 'Cluster' } }, false],
    ['its kind', { what: { by: 'kind', kinds: ['Workload'] } }, true],
    ['* as kind', { what: { by: 'kind', kinds: ['*'] } }, true],
    ['another kind', { what: { by: 'kind', kinds: ['workloads'] } }, false],
    ['another operation', { operations: ['status'] }, false],
  ])('EXP-7: a rule with %s', (_, more, matches) => {
    expect(namesOf([ruled(more)])).toHaveLength(matches ? 1 : 0);
    const isForOther = more.operations !== undefined;
    expect(concerns(ruled(more), target())).toBe(matches || isForOther);
  });

  it('EXP-7: a cluster-scoped resource is matched by Cluster, not by Namespaced', () => {
    const cluster = target({ facts: { plural: 'workloads', namespaced: false } });
    expect(
      namesOf([ruled({ what: { by: 'resource', resources: ['workloads'], scope: 'Cluster' } })], cluster),
    ).toHaveLength(1);
    expect(namesOf([ruled({})], cluster)).toEqual([]);
  });

  it('EXP-7: the core group is the empty text', () => {
    const pod = target({ apiVersion: 'v1', kind: 'Pod', facts: { plural: 'pods', namespaced: true } });
    const what = { by: 'kind', kinds: ['Pod'] } as const;
    expect(namesOf([ruled({ groups: [''], versions: ['v1'], what })], pod)).toHaveLength(1);
    expect(namesOf([ruled({ groups: ['v1'], versions: ['*'], what })], pod)).toEqual([]);
  });

  it('EXP-7: without discovery, only rules by kind match; once it is known, rules by resource do', () => {
    const byKind = ruled({ what: { by: 'kind', kinds: ['Workload'] } }, { name: 'b.example' });
    const index = createHookIndex([ruled({}), byKind]);
    const unknown = target({ facts: undefined });
    expect(index.matching('replica', unknown)).toEqual([byKind]);
    expect(index.matching('replica', target())).toHaveLength(2);
  });

  it('a hook with two rules that match is asked once', () => {
    expect(namesOf([hookOf({ rules: [sample!, { ...sample!, groups: ['*'] }] })])).toHaveLength(1);
  });

  const texts = fc.constantFrom('a', 'b', '*', '');
  const anyRule = fc.record<HookRule>({
    operations: fc.subarray(['replica', 'status']),
    groups: fc.array(texts, { maxLength: 2 }),
    versions: fc.array(fc.constantFrom('v1', 'v2', '*'), { maxLength: 2 }),
    what: fc.oneof(
      fc.record({
        by: fc.constant('kind' as const),
        kinds: fc.array(fc.constantFrom('A', 'B', '*'), { maxLength: 2 }),
      }),
      fc.record({
        by: fc.constant('resource' as const),
        resources: fc.array(fc.constantFrom('as', 'bs', '*'), { maxLength: 2 }),
        scope: fc.constantFrom('Cluster' as const, 'Namespaced' as const, '*' as const),
      }),
    ),
  });
  const has = (list: readonly string[], text: string): boolean => list.includes('*') || list.includes(text);
  const matchesPlainly = (rule: HookRule, { apiVersion, kind, facts }: HookTarget): boolean => {
    const { group, version } = groupVersionOf(apiVersion);
    if (!rule.operations.includes('replica') || !has(rule.groups, group) || !has(rule.versions, version)) return false;
    if (rule.what.by === 'kind') return has(rule.what.kinds, kind);
    const { scope, resources } = rule.what;
    if (!facts || !has(resources, facts.plural)) return false;
    return scope === '*' || scope === (facts.namespaced ? 'Namespaced' : 'Cluster');
  };

  it('EXP-7: the index finds what looking at every rule finds, also when asked again', () => {
    const anyTarget = fc.record<HookTarget>({
      apiVersion: fc.constantFrom('a/v1', 'b/v2', 'v1'),
      kind: fc.constantFrom('A', 'B'),
      facts: fc.option(fc.record({ plural: fc.constantFrom('as', 'bs'), namespaced: fc.boolean() }), {
        nil: undefined,
      }),
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(anyRule, { maxLength: 3 }), { maxLength: 4 }),
        fc.array(anyTarget, { minLength: 1, maxLength: 8 }),
        (rules, targets) => {
          const hooks = rules.map((list, index) => hookOf({ name: `${index}.example`, rules: list }));
          const index = createHookIndex(hooks);
          for (const one of [...targets, ...targets]) {
            const plainly = hooks.filter(({ rules }) => rules.some((rule) => matchesPlainly(rule, one)));
            expect(index.matching('replica', one)).toEqual(plainly);
          }
        },
      ),
    );
  });
});
