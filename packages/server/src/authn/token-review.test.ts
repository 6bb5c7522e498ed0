import { KubeClient } from '@fleet/client/kube-client.ts';
import { UnreachableError } from '@fleet/client/upstream.ts';
import { describe, expect, it } from 'vitest';
import type { Incoming } from '../http/message.ts';
import { FakeUpstream, replyOf, statusReply } from '../testing/fake-upstream.ts';
import { incomingOf } from '../testing/targets.ts';
import { firstOf } from './authenticate.ts';
import { parseTokenFile, staticTokens } from './static-tokens.ts';
import { bearerToken, tokenReviews } from './token-review.ts';

const base64url = (text: string) => Buffer.from(text).toString('base64url');
const withHeaders = (headers: Incoming['headers']) => ({ headers }) as Incoming;

describe('bearerToken', () => {
  const protocol = `base64url.bearer.authorization.k8s.io.${base64url('abc')}`;
  it.each([
    [{ authorization: 'Bearer abc' }, 'abc'],
    [{ authorization: 'bearer   abc ' }, 'abc'],
    [{ authorization: 'Bearer' }, undefined],
    [{ authorization: 'Bearer ' }, undefined],
    [{ authorization: 'Basic YTpi' }, undefined],
    [{}, undefined],
    [{ 'sec-websocket-protocol': `v5.channel.k8s.io, ${protocol}` }, 'abc'],
    [{ 'sec-websocket-protocol': ['v5.channel.k8s.io', protocol] }, 'abc'],
    [{ 'sec-websocket-protocol': 'v5.channel.k8s.io' }, undefined],
  ])('AUTHN-1: %j holds %s', (headers, token) => {
    expect(bearerToken({ headers: headers as Incoming['headers'] })).toBe(token);
  });
});

describe('AUTHN-1: tokens are reviewed by the control plane', () => {
  const alice = { username: 'alice', uid: 'u1', groups: ['devs', 'system:authenticated'], extra: { scopes: ['a'] } };
  const reviewing = (status: unknown) => {
    const upstream = new FakeUpstream(() => replyOf(201, { status }));
    return { upstream, authenticator: tokenReviews(new KubeClient(upstream)) };
  };

  it('a good token is its user', async () => {
    const { upstream, authenticator } = reviewing({ authenticated: true, user: alice });
    expect(await authenticator.authenticate(withHeaders({ authorization: 'Bearer t' }))).toEqual({
      name: 'alice',
      uid: 'u1',
      groups: ['devs', 'system:authenticated'],
      extra: { scopes: ['a'] },
      origin: 'other',
    });
    expect(upstream.paths).toEqual(['POST /apis/authentication.k8s.io/v1/tokenreviews']);
    expect(JSON.parse(String(upstream.calls[0]?.body))).toMatchObject({ spec: { token: 't' } });
  });

  it('a bad token is 401, never anonymous', async () => {
    const { authenticator } = reviewing({ authenticated: false, error: 'expired' });
    const both = firstOf([authenticator], true);
    await expect(both.authenticate(withHeaders({ authorization: 'Bearer t' }))).rejects.toMatchObject({ code: 401 });
  });

  it('a WebSocket subprotocol that holds no token is 401, and the control plane is not bothered', async () => {
    const { upstream, authenticator } = reviewing({ authenticated: true, user: alice });
    const headers = { 'sec-websocket-protocol': 'base64url.bearer.authorization.k8s.io.!!' };
    await expect(authenticator.authenticate(withHeaders(headers))).rejects.toMatchObject({ code: 401 });
    expect(upstream.calls).toEqual([]);
  });

  it.each(['', 'dA!!', 'dA==', '_w', `dA, base64url.bearer.authorization.k8s.io.dA`])(
    'a WebSocket bearer protocol of %j is 401 whoever may be anonymous, whichever authenticator looks first',
    async (text) => {
      const { upstream, authenticator } = reviewing({ authenticated: true, user: alice });
      const headers = { 'sec-websocket-protocol': `v5.channel.k8s.io, base64url.bearer.authorization.k8s.io.${text}` };
      for (const anonymousAuth of [false, true]) {
        for (const one of [authenticator, staticTokens({ value: parseTokenFile('t,bob,u\n,nobody,u') })]) {
          const request = firstOf([one], anonymousAuth).authenticate(withHeaders(headers));
          await expect(request).rejects.toMatchObject({ code: 401 });
        }
      }
      expect(upstream.calls).toEqual([]);
    },
  );

  it('IMP-1: extra with any key, __proto__ too, is the user’s own', async () => {
    const status = `{"authenticated":true,"user":{"username":"alice","extra":{"__proto__":["a"],"constructor":["b"]}}}`;
    const { authenticator } = reviewing(JSON.parse(status));
    const user = await authenticator.authenticate(withHeaders({ authorization: 'Bearer t' }));
    expect(Object.entries(user?.extra ?? {})).toEqual([
      ['__proto__', ['a']],
      ['constructor', ['b']],
    ]);
  });

  it('no token is anonymous, unless that is switched off', async () => {
    const { authenticator, upstream } = reviewing({});
    expect(await firstOf([authenticator], true).authenticate(withHeaders({}))).toMatchObject({
      name: 'system:anonymous',
      groups: ['system:unauthenticated'],
    });
    await expect(firstOf([authenticator], false).authenticate(withHeaders({}))).rejects.toMatchObject({ code: 401 });
    expect(upstream.calls).toEqual([]);
  });

  it('a certificate that nobody trusts is 401, unless a token proves who it is', async () => {
    const { authenticator } = reviewing({ authenticated: true, user: alice });
    const both = firstOf([authenticator], true);
    const showing = (headers: Incoming['headers']) => ({ headers, untrustedCertificate: true }) as Incoming;
    await expect(both.authenticate(showing({}))).rejects.toMatchObject({ code: 401 });
    expect(await both.authenticate(showing({ authorization: 'Bearer t' }))).toMatchObject({ name: 'alice' });
  });

  it('SEC-6: a token that nobody can be asked about is no reason to refuse an open path, but where anonymous is', async () => {
    const { upstream, authenticator } = reviewing({});
    upstream.answer = () => Promise.reject(new UnreachableError(false, {}));
    const ask = (url: string, anonymousAuth: boolean) =>
      firstOf([authenticator], anonymousAuth, new Set(['/livez'])).authenticate(
        incomingOf('GET', url, { headers: { authorization: 'Bearer t' } }),
      );
    expect(await ask('/livez?verbose', true)).toMatchObject({ name: 'system:anonymous' });
    await expect(ask('/livez', false)).rejects.toMatchObject({ code: 503 });
    await expect(ask('/version', true)).rejects.toMatchObject({ code: 503 });
    upstream.answer = () => replyOf(201, { status: { authenticated: false } });
    await expect(ask('/livez', true)).rejects.toMatchObject({ code: 401 });
  });

  it('SEC-6: where nobody may be anonymous, an open path is 401 without a credential', async () => {
    const { authenticator } = reviewing({});
    const ask = (anonymousAuth: boolean) =>
      firstOf([authenticator], anonymousAuth, new Set(['/livez'])).authenticate(incomingOf('GET', '/livez'));
    await expect(ask(false)).rejects.toMatchObject({ code: 401 });
    expect(await ask(true)).toMatchObject({ name: 'system:anonymous' });
  });

  it('one token is reviewed once for many requests, another on its own', async () => {
    const { upstream, authenticator } = reviewing({ authenticated: true, user: alice });
    const ask = (token: string) => authenticator.authenticate(withHeaders({ authorization: `Bearer ${token}` }));
    await Promise.all([ask('a'), ask('a'), ask('b')]);
    await ask('a');
    expect(upstream.calls).toHaveLength(2);
  });

  it('no answer is an error and is not remembered as a refusal', async () => {
    const { upstream, authenticator } = reviewing({ authenticated: true, user: alice });
    const { answer } = upstream;
    const request = withHeaders({ authorization: 'Bearer t' });
    for (const code of [500, 503, 429, 403, 401]) {
      upstream.answer = () => statusReply(code, 'Reason', 'away');
      await expect(authenticator.authenticate(request)).rejects.toMatchObject({ code: 503 });
    }
    upstream.answer = () => {
      throw new UnreachableError(false, {});
    };
    await expect(authenticator.authenticate(request)).rejects.toMatchObject({ code: 503 });
    upstream.answer = answer;
    expect(await authenticator.authenticate(request)).toMatchObject({ name: 'alice' });
  });
});
