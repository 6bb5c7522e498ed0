import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import type { PropagationPolicy } from '../api/policies.ts';
import { type Claim, claimOf, permanentIdLabels } from './claim-marks.ts';
import { type Decision, decide } from './decide.ts';
import { createPolicyIndex, scanOf } from './policy-index.ts';
import { policies, template } from './testing/arbitraries.ts';

const web: AnyObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
};

interface Given {
  namespace?: string;
  priority?: number;
  id?: string;
  deletionTimestamp?: string;
  selector?: object;
}

function policy(name: string, { namespace, priority, id, deletionTimestamp, selector }: Given = {}): PropagationPolicy {
  return {
    metadata: {
      name,
      ...(namespace ? { namespace } : {}),
      labels: { [permanentIdLabels[namespace ? 'namespaced' : 'cluster']]: id ?? `id of ${name}` },
      ...(deletionTimestamp ? { deletionTimestamp } : {}),
    },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', ...selector }],
      ...(priority === undefined ? {} : { priority }),
    },
  };
}

const shop = 'shop';
const deletionTimestamp = '2026-01-01T00:00:00Z';
const byLabel = { labelSelector: { matchLabels: { app: 'web' } } };
const otherName = { name: 'db' };
const shown = (decision: Decision): string =>
  'policy' in decision ? `${decision.is} ${decision.policy.metadata.name}` : decision.is;

describe('the policy of a template', () => {
  it.each<[string, PropagationPolicy[], string]>([
    ['none', [], 'unclaimed'],
    ['none that matches', [policy('a', { namespace: shop, selector: otherName })], 'unclaimed'],
    [
      'namespace over cluster, whatever the priority',
      [policy('a', { priority: 9 }), policy('b', { namespace: shop })],
      'take b',
    ],
    ['the higher priority', [policy('a', { selector: { name: 'web' } }), policy('b', { priority: 1 })], 'take b'],
    ['no priority is 0', [policy('a', { priority: -1 }), policy('b')], 'take b'],
    ['name over labels', [policy('a', { selector: byLabel }), policy('b', { selector: { name: 'web' } })], 'take b'],
    ['labels over all', [policy('a'), policy('b', { selector: byLabel })], 'take b'],
    ['the lower name', [policy('b'), policy('a')], 'take a'],
    ['none that is being deleted', [policy('a', { deletionTimestamp }), policy('b')], 'take b'],
  ])('FED-3: %s', (_what, given, decision) => {
    expect(shown(decide(web, scanOf(given), undefined))).toBe(decision);
  });

  const claimA: Claim = { by: 'cluster', id: 'id of a', name: 'a' };
  it.each<[string, PropagationPolicy[], string]>([
    ['stays, whoever else would win', [policy('a'), policy('b', { namespace: shop, priority: 9 })], 'keep a'],
    ['is given back if it no longer matches', [policy('a', { selector: otherName })], 'release'],
    ['goes to another at once', [policy('a', { selector: otherName }), policy('b')], 'take b'],
    ['is given back by one that is being deleted', [policy('a', { deletionTimestamp })], 'release'],
    ['goes from one that is being deleted', [policy('a', { deletionTimestamp }), policy('b')], 'take b'],
    ['is given back if the policy is gone', [], 'release'],
    [
      'is not of a new policy with the same name',
      [policy('a', { id: 'other' }), policy('b', { priority: 1 })],
      'take b',
    ],
    [
      'is of the policy that has the id now',
      [policy('renamed', { id: 'id of a' }), policy('b', { priority: 1 })],
      'keep renamed',
    ],
    ['is of the one it names, if a copy has the id', [policy('0', { id: 'id of a' }), policy('a')], 'keep a'],
    [
      'is of the lower name, if it names none',
      [policy('z', { id: 'id of a' }), policy('y', { id: 'id of a' })],
      'keep y',
    ],
    ['is not of a policy of the other kind', [policy('b', { namespace: shop, id: 'id of a' })], 'take b'],
  ])('FED-3, FED-15: a claim %s', (_what, given, decision) => {
    for (const source of [scanOf(given), createPolicyIndex(given)]) {
      expect(shown(decide(web, source, claimA))).toBe(decision);
    }
  });

  it.each([
    ['FED-19: never templates', { ...web, metadata: { ...web.metadata, namespace: 'kube-system' } }],
    [
      'FED-33: what something else has',
      {
        ...web,
        metadata: { ...web.metadata, labels: { 'resourcetemplate.karmada.io/claimed-by': 'MultiClusterService' } },
      },
    ],
  ])('%s are not taken, and given back', (_what, given) => {
    const source = scanOf([policy('a')]);
    expect(shown(decide(given, source, undefined))).toBe('unclaimed');
    expect(shown(decide(given, source, claimA))).toBe('release');
  });

  it('FED-3: does not depend on the order of the policies', () => {
    const shuffled = policies.chain((given) =>
      fc.shuffledSubarray(given, { minLength: given.length }).map((other) => ({ given, other })),
    );
    const claim = fc.option(
      fc.constantFrom<Claim>(
        { by: 'cluster', id: 'id1', name: 'p2' },
        { by: 'namespaced', id: 'id2', namespace: 'one', name: 'p1' },
      ),
      { nil: undefined },
    );
    fc.assert(
      fc.property(shuffled, template, claim, ({ given, other }, one, held) => {
        expect(decide(one, createPolicyIndex(other), held)).toEqual(decide(one, scanOf(given), held));
      }),
      { numRuns: 1000 },
    );
  });

  it('FED-3: an existing claim that matches always stays', () => {
    let kept = 0;
    fc.assert(
      fc.property(policies, template, fc.nat(), (given, one, at) => {
        const source = scanOf(given);
        const matching = source
          .matches(one)
          .map(({ policy }) => policy)
          .filter(({ metadata }) => metadata.deletionTimestamp === undefined);
        const holder = matching[at % Math.max(1, matching.length)];
        const claim = holder && claimOf(holder);
        if (!claim) return;
        kept += 1;
        expect(decide(one, source, claim)).toEqual({ is: 'keep', policy: holder });
      }),
      { numRuns: 1000 },
    );
    expect(kept).toBeGreaterThan(100);
  });

  it('FED-3: what was taken is kept', () => {
    fc.assert(
      fc.property(policies, template, (given, one) => {
        const taken = decide(one, scanOf(given), undefined);
        const claim = taken.is === 'take' ? claimOf(taken.policy) : undefined;
        if (taken.is === 'take' && claim) expect(decide(one, scanOf(given), claim)).toEqual({ ...taken, is: 'keep' });
      }),
      { numRuns: 500 },
    );
  });
});
