import { describe, expect, it } from 'vitest';
import { type Claim, claimOf, claimOn, claimPatch, withClaim } from './claim-marks.ts';

const namespaced: Claim = { by: 'namespaced', id: '1', namespace: 'shop', name: 'p' };
const cluster: Claim = { by: 'cluster', id: '2', name: 'c' };
const plain = { metadata: { name: 'x', labels: { app: 'web' }, annotations: { note: 'n' } } };

describe('marks of a claim', () => {
  it('FED-3: have these names', () => {
    expect(withClaim(plain, namespaced).metadata).toEqual({
      name: 'x',
      labels: { app: 'web', 'propagationpolicy.karmada.io/permanent-id': '1' },
      annotations: {
        note: 'n',
        'propagationpolicy.karmada.io/namespace': 'shop',
        'propagationpolicy.karmada.io/name': 'p',
      },
    });
    expect(withClaim(plain, cluster).metadata).toEqual({
      name: 'x',
      labels: { app: 'web', 'clusterpropagationpolicy.karmada.io/permanent-id': '2' },
      annotations: { note: 'n', 'clusterpropagationpolicy.karmada.io/name': 'c' },
    });
  });

  it.each([namespaced, cluster])('FED-3: $by are read as they were put on', (claim) => {
    const marked = withClaim({ metadata: { name: 'x' } }, claim);
    expect(claimOn(marked)).toEqual(claim);
    expect(withClaim(marked, claim)).toBe(marked);
  });

  it('FED-3: are never of both kinds', () => {
    const marked = withClaim(plain, namespaced);
    expect(withClaim(marked, cluster)).toEqual(withClaim(plain, cluster));
    expect(withClaim(withClaim(marked, cluster), namespaced)).toEqual(marked);
    const both = {
      metadata: {
        name: 'x',
        labels: { ...marked.metadata.labels, 'clusterpropagationpolicy.karmada.io/permanent-id': '2' },
      },
    };
    expect(claimOn(both)?.by).toBe('namespaced');
    expect(Object.keys(withClaim(both, namespaced).metadata.labels ?? {})).not.toContain(
      'clusterpropagationpolicy.karmada.io/permanent-id',
    );
  });

  it('FED-3: are removed, and nothing else is', () => {
    expect(withClaim(withClaim(plain, cluster), undefined)).toEqual(plain);
    expect(withClaim(plain, undefined)).toBe(plain);
    expect(plain.metadata.labels).toEqual({ app: 'web' });
  });

  it('FED-15: the id counts, not the names', () => {
    expect(claimOn({ metadata: { name: 'x', annotations: { 'clusterpropagationpolicy.karmada.io/name': 'c' } } })).toBe(
      undefined,
    );
    expect(
      claimOn({ metadata: { name: 'x', labels: { 'clusterpropagationpolicy.karmada.io/permanent-id': '2' } } }),
    ).toEqual({
      by: 'cluster',
      id: '2',
      name: '',
    });
  });

  it('FED-15: a policy without a permanent id claims nothing', () => {
    expect(claimOf({ metadata: { name: 'c' } })).toBe(undefined);
    expect(claimOf(withClaim({ metadata: { name: 'c' } }, cluster))).toEqual(cluster);
    expect(
      claimOf({ metadata: { name: 'p', namespace: 'shop', labels: withClaim(plain, namespaced).metadata.labels! } }),
    ).toEqual(namespaced);
  });

  it('FED-3: a patch removes the other kind', () => {
    expect(claimPatch(cluster)).toEqual({
      labels: {
        'propagationpolicy.karmada.io/permanent-id': null,
        'clusterpropagationpolicy.karmada.io/permanent-id': '2',
      },
      annotations: {
        'propagationpolicy.karmada.io/namespace': null,
        'propagationpolicy.karmada.io/name': null,
        'clusterpropagationpolicy.karmada.io/name': 'c',
      },
    });
    expect(Object.values(claimPatch(undefined).labels)).toEqual([null, null]);
  });
});
