import { describe, expect, it } from 'vitest';
import { secretsNamespace } from './cluster.ts';
import { clusterAnnotation, credentialOf, serves } from './credential.ts';

const secret = (name: string, cluster?: string) => ({
  metadata: { name, ...(cluster === undefined ? {} : { annotations: { [clusterAnnotation]: cluster } }) },
});

describe('SEC-4: a Secret serves one Cluster', () => {
  it.each([
    ['m1', undefined, 'm1', true],
    ['m1-impersonator', undefined, 'm1', true],
    ['m1', undefined, 'm2', false],
    ['m1-impersonator', undefined, 'm1-impersonator', false],
    ['m1-impersonator', undefined, 'm2', false],
    ['any', 'm1', 'm1', true],
    ['m1', 'm2', 'm1', false],
    ['m1', 'm2', 'm2', true],
    ['m1', '', 'm1', false],
    ['a-impersonator', 'a-impersonator', 'a-impersonator', true],
    ['a-impersonator-impersonator', undefined, 'a-impersonator', true],
  ])('%s, annotated with %s, serves %s: %s', (name, annotated, cluster, is) => {
    expect(serves(secret(name, annotated), cluster)).toBe(is);
  });

  it('has the same message for a Secret of others and for one that is not there', () => {
    const cluster = { metadata: { name: 'mallory' }, spec: { syncMode: 'Push' as const } };
    const ref = { namespace: secretsNamespace, name: 'm1' };
    const [there, gone] = [secret('m1'), undefined].map((found) =>
      credentialOf(cluster, ref, () => found, [secretsNamespace]),
    );
    expect(there).toMatchObject({ reason: 'SecretNotAllowed' });
    expect(gone).toEqual(there);
  });

  it('in a namespace that a setting adds, which has Secrets of others, by its annotation alone', () => {
    const found = (name: string, secretThere?: ReturnType<typeof secret>) =>
      credentialOf(
        { metadata: { name: 'm1' }, spec: { syncMode: 'Push' } },
        { namespace: 'team', name },
        () => secretThere,
        [secretsNamespace, 'team'],
      );
    expect(found('m1', secret('m1', 'm1'))).toEqual(secret('m1', 'm1'));
    expect(found('any', secret('any', 'm1'))).toEqual(secret('any', 'm1'));
    for (const name of ['m1', 'm1-impersonator']) {
      const refused = found(name, secret(name));
      expect(refused).toMatchObject({ reason: 'SecretNotAllowed' });
      expect(refused).toMatchObject({ message: expect.stringMatching(/annotated fleet.karmada.io\/cluster: m1$/) });
      // Whoever names Clusters after Secrets does not learn which there are.
      expect(found(name)).toEqual(refused);
    }
  });
});
