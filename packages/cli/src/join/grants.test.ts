import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseCacheKinds } from './cache-kinds.ts';
import { cacheGrant, grants } from './grants.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/reference/member-rights.md'), 'utf8');
const all = [...grants, cacheGrant([])];

test.each(all)('IMP-6: the reference lists $role with all of its rights', ({ role, account, rules }) => {
  const row = page.split('\n').find((line) => line.includes(`| \`${role}\` |`));
  // Word by word: `roles` is also a part of `clusterroles`.
  const words = row?.split(/[\s,;|`()]+/);
  expect(row).toContain(account);
  for (const { resources = [], nonResourceURLs = [], verbs } of rules) {
    for (const word of [...resources, ...nonResourceURLs, ...verbs]) expect(words).toContain(word);
  }
});

test('IMP-6: the reference lists no role that join does not make', () => {
  const listed = [...page.matchAll(/^\|[^|]*\| `(fleet:[^`]+)` \|/gm)].map(([, role]) => role);
  expect(listed).toEqual(all.map(({ role }) => role));
});

const listAndWatch = ['list', 'watch'];
const rbac = {
  apiGroups: ['rbac.authorization.k8s.io'],
  resources: ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'],
  verbs: listAndWatch,
};

test('IMP-6: the cache lists and watches the kinds, by group, and the four RBAC kinds', () => {
  expect(cacheGrant(parseCacheKinds('pods,deployments.apps,secrets,widgets.example.com')).rules).toEqual([
    { apiGroups: [''], resources: ['pods', 'secrets'], verbs: listAndWatch },
    { apiGroups: ['apps'], resources: ['deployments'], verbs: listAndWatch },
    { apiGroups: ['example.com'], resources: ['widgets'], verbs: listAndWatch },
    rbac,
  ]);
  expect(cacheGrant(parseCacheKinds('*')).rules).toEqual([
    { apiGroups: ['*'], resources: ['*'], verbs: listAndWatch },
    rbac,
  ]);
});

test('IMP-6: order and repetitions make no other rules', () => {
  const rules = (kinds: string) => cacheGrant(parseCacheKinds(kinds)).rules;
  expect(rules('b,a.x,a,a.x,roles.rbac.authorization.k8s.io')).toEqual(rules('a,b,a.x'));
});
