import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkClusterName } from './cluster-name.ts';
import { UsageError } from './errors.ts';

describe('NAME-9', () => {
  test.each(['member1', 'a', '1', 'eu-west-1', 'a--b', 'a'.repeat(48), 'karmada-host'])('%s is a name', (name) => {
    expect(() => checkClusterName(name)).not.toThrow();
  });

  test.each([
    '',
    'a'.repeat(49),
    'A',
    'a.b',
    'a_b',
    '-a',
    'a-',
    'ä',
    'a\n',
    'karmada',
    'all',
    'host',
    'fleet',
    'clusterspace',
  ])('%j is refused', (name) => expect(() => checkClusterName(name)).toThrow(UsageError));

  test('the CRD has the same pattern and the same reserved names', () => {
    const path = join(import.meta.dirname, '../../server/manifests/clusters.cluster.karmada.io.json');
    const rules = JSON.parse(readFileSync(path, 'utf8')).spec.versions[0].schema.openAPIV3Schema[
      'x-kubernetes-validations'
    ];
    const [pattern, reserved] = rules.map(({ rule }: { rule: string }) => rule);
    expect(pattern).toBe("self.metadata.name.matches('^[a-z0-9]([-a-z0-9]{0,46}[a-z0-9])?$')");
    for (const name of ['karmada', 'all', 'host', 'fleet', 'clusterspace']) expect(reserved).toContain(`'${name}'`);
  });
});
