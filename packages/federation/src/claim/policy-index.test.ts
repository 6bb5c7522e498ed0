import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import type { PropagationPolicy } from '../api/policies.ts';
import { permanentIdLabels } from './claim-marks.ts';
import { matchOf, type PolicyMatch, specificity } from './match.ts';
import { createPolicyIndex, scanOf } from './policy-index.ts';
import { policies, template } from './testing/arbitraries.ts';

const deployment: AnyObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
};
const selects = (selector: object, namespace?: string): PropagationPolicy => ({
  metadata: { name: 'p', ...(namespace ? { namespace } : {}) },
  spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', ...selector }] },
});

describe('one policy', () => {
  it.each<[string, PropagationPolicy, PolicyMatch['specificity'] | undefined]>([
    ['all of a kind', selects({}, 'shop'), specificity.all],
    ['labels', selects({ labelSelector: { matchLabels: { app: 'web' } } }, 'shop'), specificity.labels],
    ['a name', selects({ name: 'web' }, 'shop'), specificity.name],
    ['other labels', selects({ labelSelector: { matchLabels: { app: 'db' } } }, 'shop'), undefined],
    ['another name', selects({ name: 'db' }, 'shop'), undefined],
    ['another version', selects({ apiVersion: 'apps/v1beta1' }, 'shop'), undefined],
    ['another kind', selects({ kind: 'StatefulSet' }, 'shop'), undefined],
    [
      'a name, which makes the labelSelector void',
      selects({ name: 'web', labelSelector: { matchLabels: { app: 'db' } } }, 'shop'),
      specificity.name,
    ],
    ['a policy of another namespace', selects({}, 'bank'), undefined],
    ['a policy that names the template’s namespace from another', selects({ namespace: 'shop' }, 'bank'), undefined],
    ['a policy that names another namespace', selects({ namespace: 'bank' }, 'shop'), undefined],
    ['a cluster policy, every namespace', selects({}), specificity.all],
    ['a cluster policy, this namespace', selects({ namespace: 'shop' }), specificity.all],
    ['a cluster policy, another namespace', selects({ namespace: 'bank' }), undefined],
  ])('FED-2: %s', (_what, policy, found) => {
    expect(matchOf(policy, deployment)?.specificity).toBe(found);
    expect(createPolicyIndex([policy]).matches(deployment)[0]?.specificity).toBe(found);
  });

  it('FED-2: cluster-scoped objects belong to cluster policies', () => {
    const node: AnyObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };
    const both = [selects({ apiVersion: 'v1', kind: 'Node' }, 'shop'), selects({ apiVersion: 'v1', kind: 'Node' })];
    expect(
      createPolicyIndex(both)
        .matches(node)
        .map(({ policy }) => policy.metadata.namespace),
    ).toEqual([undefined]);
  });
});

const nameOf = ({ metadata: { namespace, name } }: PropagationPolicy) => `${namespace}/${name}`;
const sorted = (matches: PolicyMatch[]) =>
  matches.map(({ policy, specificity }) => `${nameOf(policy)} ${specificity}`).sort();

describe('an index of policies', () => {
  it('FED-3: finds exactly what a scan finds', () => {
    let found = 0;
    fc.assert(
      fc.property(policies, template, (given, one) => {
        const matches = createPolicyIndex(given).matches(one);
        found += matches.length;
        expect(sorted(matches)).toEqual(sorted(scanOf(given).matches(one)));
      }),
      { numRuns: 1000 },
    );
    expect(found).toBeGreaterThan(500);
  });

  it('FED-3: also after policies have come, changed and gone', () => {
    fc.assert(
      fc.property(policies, policies, fc.array(fc.nat(11)), template, (before, after, gone, one) => {
        const index = createPolicyIndex(before);
        for (const policy of after) index.set(policy);
        const held = new Map([...before, ...after].map((policy) => [nameOf(policy), policy]));
        for (const at of gone) {
          const policy = before[at];
          if (!policy) continue;
          index.delete(policy);
          held.delete(nameOf(policy));
        }
        const scan = scanOf([...held.values()]);
        expect(sorted(index.matches(one))).toEqual(sorted(scan.matches(one)));
        for (const id of ['id1', 'id2', 'id3']) {
          const claim = { by: 'cluster', id, name: '' } as const;
          expect(index.withId(claim).map(nameOf).sort()).toEqual(scan.withId(claim).map(nameOf).sort());
        }
      }),
      { numRuns: 500 },
    );
  });

  it('FED-15: finds policies by permanent id, of one kind', () => {
    const policy = selects({}, 'shop');
    policy.metadata.labels = { [permanentIdLabels.namespaced]: 'id' };
    const index = createPolicyIndex([policy]);
    expect(index.withId({ by: 'namespaced', id: 'id', namespace: '', name: '' })).toEqual([policy]);
    expect(index.withId({ by: 'cluster', id: 'id', name: '' })).toEqual([]);
  });

  it('looks at few of many policies', () => {
    let looked = 0;
    const counted = (name: string): PropagationPolicy => ({
      metadata: { name, namespace: 'shop' },
      spec: {
        resourceSelectors: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            get name() {
              looked += 1;
              return name;
            },
          },
        ],
      },
    });
    const index = createPolicyIndex(Array.from({ length: 500 }, (_, at) => counted(`p${at}`)));
    looked = 0;
    for (let at = 0; at < 500; at += 1) {
      expect(index.matches({ ...deployment, metadata: { name: `p${at}`, namespace: 'shop' } })).toHaveLength(1);
    }
    expect(looked).toBe(0);
  });
});
