import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cacheGrant, federationGrant, grantOf, grants, identityGrant, type KindsGrant, kindsGrants } from './grants.ts';
import { parseKinds } from './kinds.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/reference/member-permissions.md'), 'utf8');
const all = [...grants, identityGrant, ...kindsGrants.map((grant) => grantOf(grant, []))];
const rulesOf = (grant: KindsGrant, kinds: string) => grantOf(grant, parseKinds(grant.flag, kinds)).rules;

test.each(all)('IMP-6: the reference lists $role with all of its permissions', ({ role, account, rules }) => {
  const row = page.split('\n').find((line) => line.includes(`| \`${role}\` |`));
  // Word by word: `roles` is also a part of `clusterroles`.
  const words = row?.split(/[\s,;|`()]+/);
  expect(row).toContain(account);
  for (const { resources = [], resourceNames = [], nonResourceURLs = [], verbs } of rules) {
    for (const word of [...resources, ...resourceNames, ...nonResourceURLs, ...verbs]) expect(words).toContain(word);
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
  expect(rulesOf(cacheGrant, 'pods,deployments.apps,secrets,widgets.example.com')).toEqual([
    { apiGroups: [''], resources: ['pods', 'secrets'], verbs: listAndWatch },
    { apiGroups: ['apps'], resources: ['deployments'], verbs: listAndWatch },
    { apiGroups: ['example.com'], resources: ['widgets'], verbs: listAndWatch },
    rbac,
  ]);
  expect(rulesOf(cacheGrant, '*')).toEqual([{ apiGroups: ['*'], resources: ['*'], verbs: listAndWatch }, rbac]);
});

test('IMP-6: federation reads and writes the kinds, by group, and namespaces', () => {
  const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
  const namespaces = { apiGroups: [''], resources: ['namespaces'], verbs };
  expect(rulesOf(federationGrant, 'secrets,deployments.apps,widgets.example.com')).toEqual([
    { apiGroups: [''], resources: ['namespaces', 'secrets'], verbs },
    { apiGroups: ['apps'], resources: ['deployments'], verbs },
    { apiGroups: ['example.com'], resources: ['widgets'], verbs },
  ]);
  expect(rulesOf(federationGrant, 'deployments.apps')[0]).toEqual(namespaces);
  expect(rulesOf(federationGrant, '*')).toEqual([namespaces, { apiGroups: ['*'], resources: ['*'], verbs }]);
});

test.each(kindsGrants)('IMP-6: order and repetitions make no other rules ($flag)', (grant) => {
  expect(rulesOf(grant, 'b,a.x,a,a.x,roles.rbac.authorization.k8s.io,namespaces')).toEqual(
    rulesOf(grant, 'namespaces,a,b,a.x,roles.rbac.authorization.k8s.io'),
  );
});

test('IMP-6: kinds that are always granted may be named, too', () => {
  expect(rulesOf(cacheGrant, 'a,roles.rbac.authorization.k8s.io')).toEqual(rulesOf(cacheGrant, 'a'));
  expect(rulesOf(federationGrant, 'a.x,namespaces')).toEqual(rulesOf(federationGrant, 'a.x'));
});
