import { singleKubeconfig } from '@fleet/client/kubeconfig.ts';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readKubeconfig } from './kubeconfig.ts';

const encoded = (text: string): string => Buffer.from(text).toString('base64');

const config = (cluster: object, user: object): string =>
  encoded(
    stringify({
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      clusters: [{ name: 'a', cluster: { server: 'https://a', ...cluster } }],
      users: [{ name: 'a', user }],
    }),
  );

describe('KS-1: a kubeconfig', () => {
  it('with a token, and with a certificate', () => {
    expect(readKubeconfig(encoded(singleKubeconfig('a', 'https://a:6443', 'ca', { token: 't' })))).toEqual({
      server: 'https://a:6443',
      insecureSkipTLSVerification: false,
      proxyURL: undefined,
      data: { caBundle: encoded('ca'), token: encoded('t') },
    });
    const pair = { cert: 'c', key: 'k' };
    expect(readKubeconfig(encoded(singleKubeconfig('a', 'https://a', 'ca', pair))).data).toEqual({
      caBundle: encoded('ca'),
      'tls.crt': encoded('c'),
      'tls.key': encoded('k'),
    });
    const through = { 'proxy-url': 'http://p', 'insecure-skip-tls-verify': true };
    expect(readKubeconfig(config(through, { token: 't' }))).toMatchObject({
      proxyURL: 'http://p',
      insecureSkipTLSVerification: true,
    });
  });

  it.each([
    ['certificate-authority', { 'certificate-authority': '/ca' }, { token: 't' }],
    ['tokenFile', {}, { tokenFile: '/t', token: 't' }],
    ['client-key', {}, { 'client-certificate-data': 'YQ==', 'client-key': '/k' }],
    ['exec', {}, { exec: { command: '/bin/sh' } }],
    ['auth-provider', {}, { 'auth-provider': { name: 'gcp' } }],
    ['username', {}, { username: 'a', password: 'b' }],
    ['tls-server-name', { 'tls-server-name': 'b' }, { token: 't' }],
    ['neither a token nor', {}, { 'client-certificate-data': 'YQ==' }],
    ['neither a token nor', {}, {}],
  ])('with %s is refused', (why, cluster, user) => {
    expect(() => readKubeconfig(config(cluster, user))).toThrow(why);
  });

  it.each([
    '%',
    'a b',
    encoded('a: ['),
    encoded('text'),
    encoded('{}'),
    encoded('current-context: a\ncontexts: {a: b}'),
  ])('that is none is refused: %s', (text) => {
    expect(() => readKubeconfig(text)).toThrow(/must be base64|is no kubeconfig|has no context/);
  });
});
