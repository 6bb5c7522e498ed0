import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import type { OverridePolicy, Overriders } from '../api/policies.ts';
import { applyOverrides } from './apply-overrides.ts';
import { Budget } from './budget.ts';
import { overridden } from './overriders.ts';

const count = <T>(length: number, one: (index: number) => T): T[] => Array.from({ length }, (_, index) => one(index));
const configMap = (data: Record<string, string>): AnyObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'shop' },
  data,
});
const mapOf = (keys: number): Record<string, string> => Object.fromEntries(count(keys, (i) => [`key-${i}`, 'x']));
const podOf = (args: string[]): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'shop' },
  spec: { containers: [{ name: 'c', args }] },
});

const patchOf = (keys: number, field: string) =>
  count(keys, (i) => ({ [field]: `/key-${i}`, operator: 'replace' as const, value: 'y' })) as never;

/** One that many keys of one manifest, and as many operations, make as expensive as they can. */
const overrides: Record<string, (size: number) => [AnyObject, Overriders]> = {
  plaintext: (size) => [
    configMap(mapOf(size)),
    { plaintext: count(size, (i) => ({ path: `/data/key-${i}`, operator: 'replace', value: 'y' })) },
  ],
  'JSON in a field': (size) => [
    configMap({ text: JSON.stringify(mapOf(size)) }),
    { fieldOverrider: [{ fieldPath: '/data/text', json: patchOf(size, 'subPath') }] },
  ],
  'YAML in a field': (size) => [
    configMap({ text: JSON.stringify(mapOf(size)) }),
    { fieldOverrider: [{ fieldPath: '/data/text', yaml: patchOf(size, 'subPath') }] },
  ],
  'words of a command': (size) => [
    podOf(count(size, (i) => `w${i}`)),
    { argsOverrider: [{ containerName: 'c', operator: 'remove', value: count(size, (i) => `x${i}`) }] },
  ],
};

const stepsOf = ([manifest, overriders]: [AnyObject, Overriders]): number => {
  const budget = new Budget();
  overridden(manifest, overriders, budget);
  return budget.spent;
};

describe('SEC-3, FED-7: overrides cost no more than linear in their size and the object', () => {
  it.each(Object.entries(overrides))('SEC-3: %s', (_, made) => {
    const [small, large] = [stepsOf(made(500)), stepsOf(made(4_000))];
    expect(small).toBeGreaterThan(500);
    // Numbers of keys have more digits.
    expect(large / small).toBeLessThan(8 * 1.3);
  });
});

describe('SEC-3, FED-7: overrides that ask for too much are refused', () => {
  const policy = (...rules: Overriders[]): OverridePolicy => ({
    metadata: { name: 'o', namespace: 'shop' },
    spec: { overrideRules: rules.map((overriders) => ({ overriders })) },
  });
  const m1 = { metadata: { name: 'm1' }, spec: {} };
  const apply = (manifest: AnyObject, ...rules: Overriders[]) => applyOverrides(manifest, m1, [], [policy(...rules)]);

  it('SEC-3: more than 10,000 operations of one patch', () => {
    const plaintext = (size: number) => count(size, () => ({ path: '/data/a', operator: 'add', value: 'x' }) as const);
    expect(apply(configMap({}), { plaintext: plaintext(10_000) }).manifest['data']).toEqual({ a: 'x' });
    const many = () => apply(configMap({}), { plaintext: plaintext(10_001) });
    expect(many).toThrow(
      'Apply override policy(shop/o) for cluster(m1) failed: a patch has more than 10000 operations',
    );
  });

  const large = configMap({ ...mapOf(8_000), text: 'a: b\n'.padEnd(600_000, '# ') });
  it.each<[string, AnyObject, Overriders[]]>([
    [
      'rules that each change a large map',
      large,
      count(300, () => ({ plaintext: [{ path: '/data/key-1', operator: 'replace', value: 'y' }] })),
    ],
    [
      'a large text read again and again',
      large,
      count(10, () => ({
        fieldOverrider: [
          { fieldPath: '/data/text', yaml: [{ subPath: '/a', operator: 'replace', value: '#'.repeat(300_000) }] },
        ],
      })),
    ],
    [
      'a long list moved again and again',
      podOf(count(100_000, (i) => `w${i}`)),
      [{ plaintext: count(5_000, () => ({ path: '/spec/containers/0/args/0', operator: 'remove' })) }],
    ],
    [
      'labels again and again',
      { ...large, metadata: { ...large.metadata, labels: mapOf(8_000) } },
      [{ labelsOverrider: count(300, () => ({ operator: 'add', value: { a: 'b' } })) }],
    ],
    [
      'a long command again and again',
      podOf(count(100_000, (i) => `w${i}`)),
      [{ argsOverrider: count(30, () => ({ containerName: 'c', operator: 'remove', value: ['x'] })) }],
    ],
  ])('SEC-3: %s', (_, manifest, rules) => {
    expect(() => apply(manifest, ...rules)).toThrow('the overrides ask for too much work');
  });
});
