import { validateHeaderName, validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { User } from '../authn/user.ts';
import { allowedIdentitiesAnnotation } from './allowed-identities.ts';
import { impersonationForMember as impersonationFor, impersonationForControlPlane } from './impersonation.ts';

const member = { metadata: { name: 'm1' } };
const impersonationForMember = (user: User) => impersonationFor(user, member);

const user = (name: string, groups: string[] = [], origin: User['origin'] = 'other'): User => ({
  name,
  groups,
  origin,
  uid: undefined,
  extra: {},
});

describe('IMP-1: members see the user', () => {
  it('with groups, uid and extra; system:authenticated is theirs to add', () => {
    const alice: User = {
      name: 'alice',
      uid: 'u1',
      groups: ['devs', 'system:authenticated', 'qa'],
      extra: { 'acme.com/Project': ['p', 'q'], scopes: ['a'] },
      origin: 'other',
    };
    expect(impersonationForMember(alice)).toEqual({
      'impersonate-user': 'alice',
      'impersonate-group': ['devs', 'qa'],
      'impersonate-uid': 'u1',
      'impersonate-extra-acme.com%2fproject': ['p', 'q'],
      'impersonate-extra-scopes': ['a'],
    });
  });

  it('SEC-5: a user without a name is 403, in members and in the control plane: no header would mean the product itself', () => {
    for (const groups of [[], ['devs'], ['system:masters']]) {
      for (const headersFor of [impersonationForMember, impersonationForControlPlane]) {
        expect(() => headersFor(user('', groups, 'fleet-ca'))).toThrow(expect.objectContaining({ code: 403 }));
      }
    }
  });

  it('names are sent as UTF-8 bytes', () => {
    const { 'impersonate-user': name } = impersonationForMember(user('jörg ☃'));
    expect(Buffer.from(String(name), 'latin1').toString()).toBe('jörg ☃');
  });

  it('a name that would end its header is 403', () => {
    for (const name of ['a\r\nImpersonate-Group: system:masters', 'a\u0000', 'a\n']) {
      expect(() => impersonationForMember(user(name))).toThrow(expect.objectContaining({ code: 403 }));
      expect(() => impersonationForMember(user('a', [name]))).toThrow(expect.objectContaining({ code: 403 }));
    }
  });

  it('whatever the keys of extra, they make headers that can be sent', () => {
    const unit = fc
      .oneof(fc.integer({ min: 1, max: 0x7f }), fc.integer({ min: 0x80, max: 0xd7ff }))
      .map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1 }), (key) => {
        const headers = impersonationForMember({ ...user('a'), extra: { [key]: ['v'] } });
        for (const name of Object.keys(headers)) validateHeaderName(name);
        validateHeaderValue('impersonate-user', String(headers['impersonate-user']));
      }),
    );
  });
});

describe('IMP-5: no namesakes', () => {
  it.each([
    ['alice', 'other', 'alice'],
    ['system:serviceaccount:ns:sa', 'other', 'fleet:serviceaccount:ns:sa'],
    ['system:serviceaccount:kube-system:x', 'other', 'fleet:serviceaccount:kube-system:x'],
    ['system:admin', 'other', undefined],
    ['system:anonymous', 'other', undefined],
    ['system:node:n1', 'fleet-ca', undefined],
    ['fleet:admin', 'fleet-ca', 'fleet:admin'],
    ['fleet:admin', 'other', undefined],
    ['fleet:serviceaccount:ns:sa', 'other', undefined],
    [' system:admin', 'other', undefined],
    [' fleet:admin', 'other', undefined],
    ['alice ', 'other', undefined],
  ] as const)('user %j from %s is shown as %s', (name, origin, shown) => {
    const show = () => impersonationForMember(user(name, [], origin))['impersonate-user'];
    if (shown === undefined) expect(show).toThrow(expect.objectContaining({ code: 403 }));
    else expect(show()).toBe(shown);
  });

  it.each([
    [['devs'], 'other', ['devs']],
    [['system:masters', 'devs'], 'fleet-ca', ['devs']],
    [['system:nodes', 'system:authenticated', 'system:unauthenticated'], 'other', undefined],
    [
      ['system:serviceaccounts', 'system:serviceaccounts:ns'],
      'other',
      ['fleet:serviceaccounts', 'fleet:serviceaccounts:ns'],
    ],
    [['system:serviceaccountsx'], 'other', undefined],
    [['fleet:admins', 'fleet:serviceaccounts'], 'other', undefined],
    [['fleet:admins'], 'fleet-ca', ['fleet:admins']],
  ] as const)('groups %j from %s are shown as %j', (groups, origin, shown) => {
    expect(impersonationForMember(user('a', [...groups], origin))['impersonate-group']).toEqual(shown);
  });

  it.each([' system:masters', '\tsystem:masters', ' fleet:admins', 'devs '])(
    'group %j must not become what is left when the member trims its header',
    (group) => {
      expect(() => impersonationForMember(user('a', [group]))).toThrow(expect.objectContaining({ code: 403 }));
    },
  );

  describe('but where a Cluster allows a name', () => {
    const shownWith = (allowed: string, name: string, groups: string[] = [], origin?: User['origin']) => {
      const annotations = { [allowedIdentitiesAnnotation]: allowed };
      const headers = impersonationFor(user(name, groups, origin), { metadata: { name: 'm1', annotations } });
      return [headers['impersonate-user'], headers['impersonate-group']];
    };
    const account = 'system:serviceaccount:ns:sa';
    const accountGroups = ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'];

    it('that one goes through as it is, its groups only if they are allowed, too', () => {
      expect(shownWith(account, account, accountGroups)).toEqual([
        account,
        ['fleet:serviceaccounts', 'fleet:serviceaccounts:ns'],
      ]);
      expect(shownWith(`${account}, system:serviceaccounts:ns`, account, accountGroups)).toEqual([
        account,
        ['fleet:serviceaccounts', 'system:serviceaccounts:ns'],
      ]);
      expect(shownWith('system:serviceaccounts', account, accountGroups)).toEqual([
        'fleet:serviceaccount:ns:sa',
        ['system:serviceaccounts', 'fleet:serviceaccounts:ns'],
      ]);
    });

    it('a member never adds the groups of its own accounts', () => {
      for (const groups of [[], ['system:authenticated'], ['system:masters']]) {
        expect(shownWith(account, account, groups)).toEqual([
          account,
          ['fleet:serviceaccounts', 'fleet:serviceaccounts:ns'],
        ]);
      }
    });

    it('other users and groups of Kubernetes', () => {
      expect(shownWith('system:admin system:nodes', 'system:admin', ['system:masters', 'system:nodes'])).toEqual([
        'system:admin',
        ['system:nodes'],
      ]);
      expect(shownWith('system:masters', 'alice', ['system:masters', 'devs'])).toEqual([
        'alice',
        ['system:masters', 'devs'],
      ]);
      expect(shownWith('system:*', 'alice', ['system:masters'])).toEqual(['alice', undefined]);
    });

    it('never the product’s own', () => {
      expect(() => shownWith('fleet:admin', 'fleet:admin')).toThrow(expect.objectContaining({ code: 403 }));
      expect(shownWith('fleet:admins', 'alice', ['fleet:admins'])).toEqual(['alice', undefined]);
    });
  });

  it('the control plane sees its own users as they are', () => {
    const account = user('system:serviceaccount:ns:sa', [
      'system:serviceaccounts',
      'system:masters',
      'system:authenticated',
    ]);
    expect(impersonationForControlPlane(account)).toEqual({
      'impersonate-user': 'system:serviceaccount:ns:sa',
      'impersonate-group': ['system:serviceaccounts', 'system:masters'],
    });
  });
});
