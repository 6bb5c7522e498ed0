import { describe, expect, test } from 'vitest';
import { UsageError } from '../errors.ts';
import { parseCacheKinds } from './cache-kinds.ts';

describe('IMP-6: --cache-kinds', () => {
  test('takes resources with their groups', () => {
    expect(parseCacheKinds('pods,deployments.apps,widgets.example.com')).toEqual([
      { group: '', resource: 'pods' },
      { group: 'apps', resource: 'deployments' },
      { group: 'example.com', resource: 'widgets' },
    ]);
  });

  test('takes * for everything and none for nothing', () => {
    expect(parseCacheKinds('*')).toEqual([{ group: '*', resource: '*' }]);
    expect(parseCacheKinds('none')).toEqual([]);
  });

  const label = 'a'.repeat(63);
  const group = `${`${label}.`.repeat(3)}${'a'.repeat(61)}`;
  test.each(['constructor', 'x-1.a--b.c', `${label}.${group}`])('takes %s', (kind) => {
    expect(parseCacheKinds(kind)).toHaveLength(1);
  });

  test.each([
    '',
    ',',
    'pods,',
    'pods,,services',
    'pods, services',
    'Pods',
    'pods/log',
    'pods.',
    '.apps',
    'deployments..apps',
    'deployments.Apps',
    '-a',
    'a-.b',
    'a_b',
    'pods\n',
    'ä',
    '__proto__',
    '*.apps',
    `${label}a`,
    `a.${group}a`,
  ])('refuses %j', (kinds) => {
    expect(() => parseCacheKinds(kinds)).toThrow(UsageError);
    expect(() => parseCacheKinds(kinds)).toThrow('is no resource');
  });

  test('names the one that is wrong', () => {
    expect(() => parseCacheKinds('pods,Deployment.apps')).toThrow('"Deployment.apps" is no resource');
  });

  test.each(['pods,*', '*,pods', 'none,pods', 'pods,none'])('refuses %j: that stands alone', (kinds) => {
    expect(() => parseCacheKinds(kinds)).toThrow(UsageError);
    expect(() => parseCacheKinds(kinds)).toThrow('alone');
  });
});
