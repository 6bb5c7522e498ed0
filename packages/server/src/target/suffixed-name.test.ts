import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isClusterName, splitName, suffixOf } from './suffixed-name.ts';

const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?$/);

describe('NAME-1: suffixed names', () => {
  it('what was suffixed is split again, whatever the name contains', () => {
    const name = fc.oneof(
      label,
      fc.constantFrom('a.clusterspace.b', 'x.y.z', 'a.clusterspace', '.clusterspace.'),
      fc.string({ minLength: 1 }),
    );
    fc.assert(
      fc.property(name, label, (name, cluster) => {
        expect(splitName(name + suffixOf(cluster))).toEqual({ name, cluster });
      }),
    );
  });

  it.each(['x', '', '.clusterspace.m', 'x.clusterspace.', 'x.clusterspace', 'xclusterspace.m'])(
    '%s has no suffix',
    (name) => {
      expect(splitName(name)).toEqual({ name, cluster: undefined });
    },
  );
});

describe('NAME-9: cluster names', () => {
  it.each(['a', 'member1', '1', 'a-b', 'x'.repeat(48)])('%s is one', (name) => {
    expect(isClusterName(name)).toBe(true);
  });
  it.each(['', '-a', 'a-', 'A', 'a.b', 'a_b', '*', 'x'.repeat(49), 'a\n'])('%j is none', (name) => {
    expect(isClusterName(name)).toBe(false);
  });
});
