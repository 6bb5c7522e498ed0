import { describe, expect, test } from 'vitest';
import { UsageError } from '../errors.ts';
import { cacheGrant, federationGrant, type KindsOption } from './grants.ts';
import { kindsIn, parseKinds } from './kinds.ts';

describe.each([
  ['--cache-kinds', 'cacheKinds'],
  ['--federation-kinds', 'federationKinds'],
] as const satisfies [string, KindsOption][])('IMP-6: %s', (flag, option) => {
  const parse = (text: string) => parseKinds(flag, text);

  test('takes resources with their groups', () => {
    expect(parse('pods,deployments.apps,widgets.example.com')).toEqual([
      { group: '', resource: 'pods' },
      { group: 'apps', resource: 'deployments' },
      { group: 'example.com', resource: 'widgets' },
    ]);
  });

  test('takes * for everything and none for nothing', () => {
    expect(parse('*')).toEqual([{ group: '*', resource: '*' }]);
    expect(parse('none')).toEqual([]);
  });

  const label = 'a'.repeat(63);
  const group = `${`${label}.`.repeat(3)}${'a'.repeat(61)}`;
  test.each(['constructor', 'x-1.a--b.c', `${label}.${group}`])('takes %s', (kind) => {
    expect(parse(kind)).toHaveLength(1);
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
    expect(() => parse(kinds)).toThrow(UsageError);
    expect(() => parse(kinds)).toThrow('is no resource');
  });

  test('names the one that is wrong', () => {
    expect(() => parse('pods,Deployment.apps')).toThrow(`${flag}: "Deployment.apps" is no resource`);
  });

  test.each(['pods,*', '*,pods', 'none,pods', 'pods,none'])('refuses %j: that stands alone', (kinds) => {
    expect(() => parse(kinds)).toThrow(UsageError);
    expect(() => parse(kinds)).toThrow('alone');
    expect(() => parse(kinds)).toThrow(flag);
  });

  test('is the flag of its grant alone', () => {
    const none = { cacheKinds: undefined, federationKinds: undefined };
    expect(kindsIn({})).toEqual(none);
    expect(kindsIn({ [option]: 'pods' })).toEqual({ ...none, [option]: [{ group: '', resource: 'pods' }] });
    expect(() => kindsIn({ [option]: 'Pods' })).toThrow(flag);
    expect([cacheGrant, federationGrant].find((grant) => grant.option === option)?.flag).toBe(flag);
  });
});
