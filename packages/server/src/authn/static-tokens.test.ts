import { unauthorized } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import { incomingOf } from '../testing/targets.ts';
import { firstOf } from './authenticate.ts';
import { parseTokenFile, staticTokens } from './static-tokens.ts';

const showing = (token: string) => incomingOf('GET', '/', { headers: { authorization: `Bearer ${token}` } });

const userOf = (file: string, token: string) =>
  staticTokens({ value: parseTokenFile(file) }).authenticate(showing(token));

describe('AUTHN-1: a file of tokens, as kube-apiserver reads it', () => {
  it.each([
    ['t,alice,u1', { name: 'alice', uid: 'u1', groups: ['system:authenticated'] }],
    ['t,alice,', { name: 'alice', uid: undefined }],
    ['t,alice,u1,devs', { groups: ['devs', 'system:authenticated'] }],
    ['t,alice,u1,"devs,ops"\r\n', { groups: ['devs', 'ops', 'system:authenticated'] }],
    ['t,"a ""b"", c",u1,"",more', { name: 'a "b", c', groups: ['system:authenticated'] }],
    ['\nt,first,u1\n\nt,second,u2\n', { name: 'second' }],
    ['t, alice,u1', { name: ' alice' }],
  ])('%j', async (file, user) => {
    expect(await userOf(file, 't')).toMatchObject(user);
  });

  it('a token it does not know is for the next authenticator, and 401 if there is none that knows it', async () => {
    const file = 't,alice,u1\n,nobody,u2';
    for (const other of ['T', 'tt', 'x', '""']) expect(await userOf(file, other)).toBeUndefined();
    const last = { authenticate: () => Promise.reject(unauthorized()) };
    const both = firstOf([staticTokens({ value: parseTokenFile(file) }), last], true);
    await expect(both.authenticate(showing('x'))).rejects.toMatchObject({ code: 401 });
    expect(await both.authenticate(showing('t'))).toMatchObject({ name: 'alice' });
  });

  it('no header is no proof', async () => {
    expect(await staticTokens({ value: parseTokenFile('t,a,u') }).authenticate(incomingOf('GET', '/'))).toBeUndefined();
  });

  it.each([
    ['a,b,c\nsecret,alice', /^line 2: must have at least 3 columns/],
    ['secret,"alice,u1', /^line 1: a quote/],
    ['secret,al"ice,u1', /^line 1: a quote/],
    ['secret,"alice" ,u1', /^line 1: a quote/],
    ['a,b,c\nsecret,,', /^line 2: the user name is empty/],
    ['secret," ",u1,system:masters', /^line 1: the user name is empty/],
  ])('ERR-4: %j names the line, not the token', (file, message) => {
    expect(() => parseTokenFile(file)).toThrow(message);
    expect(() => parseTokenFile(file)).not.toThrow(/secret/);
  });

  it('SEC-5: a user without a name is refused, whichever authenticator gives it', async () => {
    const nameless = { name: '', uid: undefined, groups: ['system:masters'], extra: {}, origin: 'fleet-ca' as const };
    const authenticator = firstOf([{ authenticate: async () => nameless }], true);
    await expect(authenticator.authenticate(showing('t'))).rejects.toMatchObject({ code: 401 });
  });

  it('IMP-5: names of the product’s own space prove nothing here', async () => {
    expect(await userOf('t,fleet:admin,u,fleet:admins', 't')).toMatchObject({ origin: 'other' });
  });
});
