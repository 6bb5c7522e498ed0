import { describe, expect, it } from 'vitest';
import type { User } from '../authn/user.ts';
import { impersonationForMember } from '../members/impersonation.ts';
import type { AccessReviewer, Attributes } from './access-review.ts';
import { impersonated } from './impersonate.ts';

const admin: User = { name: 'admin', uid: undefined, groups: ['ops'], extra: {}, origin: 'fleet-ca' };

/** Grants the given `resource name`s, and records its reviews. */
function reviewer(grants: (what: string) => boolean = () => true) {
  const asked: unknown[] = [];
  const reviews: AccessReviewer = {
    async isAllowed(user, attributes: Attributes) {
      asked.push({ by: user.name, ...('resource' in attributes ? attributes.resource : {}) });
      return 'resource' in attributes && grants(`${attributes.resource.resource} ${attributes.resource.name}`);
    },
  };
  return { reviews, asked };
}

const become = (headers: Record<string, string | string[]>) => impersonated(admin, headers, reviewer().reviews);

describe('IMP-2: kubectl --as', () => {
  it('without headers the user stays who it is and nothing is asked', async () => {
    const { reviews, asked } = reviewer();
    expect(await impersonated(admin, { 'x-other': '1' }, reviews)).toBe(admin);
    expect(asked).toEqual([]);
  });

  it.each(['__proto__', 'constructor'])('extra of the key %s is extra, and nothing else', async (key) => {
    const { reviews, asked } = reviewer();
    const headers = { 'impersonate-user': 'bob', [`impersonate-extra-${key}`]: 'x' };
    const user = await impersonated(admin, headers, reviews);
    expect(Object.entries(user.extra)).toEqual([[key, ['x']]]);
    expect(asked.at(-1)).toMatchObject({ resource: 'userextras', subresource: key, name: 'x' });
    const { [`impersonate-extra-${key}`]: shown } = impersonationForMember(user, undefined);
    expect(shown).toEqual(['x']);
  });

  it('each thing that is claimed needs its right', async () => {
    const { reviews, asked } = reviewer();
    const headers = {
      'impersonate-user': 'bob',
      'impersonate-group': ['devs', 'qa'],
      'impersonate-uid': 'u9',
      'impersonate-extra-scopes': ['view', 'edit'],
      'impersonate-extra-acme.com%2fproject': 'p1',
    };
    expect(await impersonated(admin, headers, reviews)).toEqual({
      name: 'bob',
      uid: 'u9',
      groups: ['devs', 'qa', 'system:authenticated'],
      extra: { scopes: ['view', 'edit'], 'acme.com/project': ['p1'] },
      origin: 'other',
    });
    const permission = { by: 'admin', verb: 'impersonate' };
    const extra = { ...permission, group: 'authentication.k8s.io', resource: 'userextras' };
    expect(asked).toEqual([
      { ...permission, group: '', resource: 'users', name: 'bob' },
      { ...permission, group: '', resource: 'groups', name: 'devs' },
      { ...permission, group: '', resource: 'groups', name: 'qa' },
      { ...permission, group: 'authentication.k8s.io', resource: 'uids', name: 'u9' },
      { ...extra, name: 'view', subresource: 'scopes' },
      { ...extra, name: 'edit', subresource: 'scopes' },
      { ...extra, name: 'p1', subresource: 'acme.com/project' },
    ]);
  });

  it.each([
    [
      { 'impersonate-user': 'bob' },
      'users',
      'users "bob" is forbidden: User "admin" cannot impersonate resource "users" in API group "" at the cluster scope',
    ],
    [
      { 'impersonate-user': 'bob', 'impersonate-group': ['devs', 'system:masters'] },
      'groups system:masters',
      'groups "system:masters" is forbidden: User "admin" cannot impersonate resource "groups" in API group "" at the cluster scope',
    ],
    [
      { 'impersonate-user': 'bob', 'impersonate-uid': 'u' },
      'uids',
      'uids.authentication.k8s.io "u" is forbidden: User "admin" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
    ],
    [
      { 'impersonate-user': 'bob', 'impersonate-extra-scopes': 'x' },
      'userextras',
      'userextras.authentication.k8s.io "x" is forbidden: User "admin" cannot impersonate resource "userextras/scopes" in API group "authentication.k8s.io" at the cluster scope',
    ],
    [
      { 'impersonate-user': 'system:serviceaccount:ns:sa' },
      'serviceaccounts',
      'serviceaccounts "sa" is forbidden: User "admin" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "ns"',
    ],
  ])('a missing right is 403 in kube-apiserver’s words: %j', async (headers, refused, message) => {
    const { reviews } = reviewer((what) => !what.startsWith(refused));
    await expect(impersonated(admin, headers as Record<string, string>, reviews)).rejects.toMatchObject({
      code: 403,
      message,
    });
  });

  it('a ServiceAccount is asked for in its namespace and gets its groups', async () => {
    const { reviews, asked } = reviewer();
    const user = await impersonated(admin, { 'impersonate-user': 'system:serviceaccount:ns:sa' }, reviews);
    expect(asked).toEqual([
      { by: 'admin', verb: 'impersonate', group: '', resource: 'serviceaccounts', name: 'sa', namespace: 'ns' },
    ]);
    expect(user.groups).toEqual(['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated']);
  });

  it.each([
    [{ 'impersonate-user': 'system:anonymous' }, ['system:unauthenticated']],
    [{ 'impersonate-user': 'bob', 'impersonate-group': 'system:authenticated' }, ['system:authenticated']],
    [{ 'impersonate-user': 'bob', 'impersonate-group': 'system:unauthenticated' }, ['system:unauthenticated']],
    [
      { 'impersonate-user': 'system:serviceaccount:ns:sa', 'impersonate-group': 'devs' },
      ['devs', 'system:authenticated'],
    ],
  ])('groups are those kube-apiserver gives: %j', async (headers, groups) => {
    expect((await become(headers as Record<string, string>)).groups).toEqual(groups);
  });

  it('names are UTF-8 bytes, and a comma in a group is part of it', async () => {
    const user = await become({
      'impersonate-user': Buffer.from('jörg ☃').toString('latin1'),
      'impersonate-group': 'a, b',
    });
    expect(user).toMatchObject({ name: 'jörg ☃', groups: ['a, b', 'system:authenticated'] });
  });

  it('IMP-5: who impersonates proves nothing about names of the product’s own space', async () => {
    expect(await become({ 'impersonate-user': 'fleet:admin', 'impersonate-group': 'fleet:admins' })).toMatchObject({
      origin: 'other',
    });
  });

  it.each([{ 'impersonate-group': 'devs' }, { 'impersonate-uid': 'u' }, { 'impersonate-extra-x': 'y' }])(
    'ERR-4: %j without a user is 400',
    async (headers) => {
      await expect(become(headers as Record<string, string>)).rejects.toMatchObject({ code: 400 });
    },
  );

  it('ERR-4: a key that is no valid encoding is taken as it is, as in kube-apiserver', async () => {
    expect(await become({ 'impersonate-user': 'bob', 'impersonate-extra-a%zz': 'x' })).toMatchObject({
      extra: { 'a%zz': ['x'] },
    });
  });
});
