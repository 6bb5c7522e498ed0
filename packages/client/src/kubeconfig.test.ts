import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { loadEndpoint, singleKubeconfig } from './kubeconfig.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  await writeFile(join(folder, 'ca.crt'), 'CA');
  await writeFile(join(folder, 'token'), 'from-file\n');
  await writeFile(join(folder, 'plugin'), '#!/bin/sh\necho "{\\"status\\":{\\"token\\":\\"from-$WHO\\"}}"\n', {
    mode: 0o755,
  });
});

afterAll(() => rm(folder, { recursive: true }));

async function load(user: object, cluster: object = {}, context?: string) {
  const path = join(folder, 'config');
  await writeFile(
    path,
    stringify({
      'current-context': 'c',
      contexts: [
        { name: 'c', context: { cluster: 'k', user: 'u' } },
        { name: 'lost', context: { cluster: 'none', user: 'u' } },
        { name: 'nobody', context: { cluster: 'k', user: 'none' } },
      ],
      clusters: [{ name: 'k', cluster: { server: 'https://host:6443', ...cluster } }],
      users: [{ name: 'u', user }],
    }),
  );
  return loadEndpoint(path, context);
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('loadEndpoint', () => {
  it('reads server, CA and client certificate, inline', async () => {
    const endpoint = await load(
      { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') },
      { 'certificate-authority-data': base64('CA'), 'tls-server-name': 'name' },
    );
    expect(endpoint).toMatchObject({
      url: 'https://host:6443',
      tls: { ca: 'CA', cert: 'CERT', key: 'KEY', servername: 'name', rejectUnauthorized: true },
    });
    expect(endpoint.authorization).toBeUndefined();
  });

  it('files are found beside the kubeconfig', async () => {
    expect((await load({}, { 'certificate-authority': 'ca.crt' })).tls.ca).toBe('CA');
  });

  it.each([
    [{ token: 't' }, 'Bearer t'],
    [{ tokenFile: 'token' }, 'Bearer from-file'],
    [{ tokenFile: 'token', token: 't' }, 'Bearer from-file'],
    [{ username: 'u', password: 'p' }, `Basic ${base64('u:p')}`],
    [
      { exec: { apiVersion: 'v1', command: './plugin', args: null, env: [{ name: 'WHO', value: 'plugin' }] } },
      'Bearer from-plugin',
    ],
  ])('%j authorises as %s', async (user, expected) => {
    const { authorization } = await load(user);
    expect(await authorization?.()).toBe(expected);
  });

  it('a token file is read each time, since tokens change on disk', async () => {
    const { authorization } = await load({ tokenFile: 'rotating' });
    await writeFile(join(folder, 'rotating'), 'one');
    expect(await authorization?.()).toBe('Bearer one');
    await writeFile(join(folder, 'rotating'), 'two');
    expect(await authorization?.()).toBe('Bearer two');
  });

  it('insecure-skip-tls-verify is obeyed', async () => {
    expect((await load({}, { 'insecure-skip-tls-verify': true })).tls.rejectUnauthorized).toBe(false);
  });

  it.each([
    ['missing', /there is no context "missing"/],
    ['lost', /names the cluster "none", which has no server/],
    ['nobody', /names the user "none", which does not exist/],
  ])('an invalid context is named: %s', async (context, message) => {
    await expect(load({}, {}, context)).rejects.toThrow(message);
  });

  it('CLU-5: a proxy and the name in the certificate are kept; a proxy of another kind is refused', async () => {
    const endpoint = await load({}, { 'proxy-url': 'socks5://x:1', 'tls-server-name': 'api.internal' });
    expect(endpoint).toMatchObject({ proxy: { url: 'socks5://x:1' }, tls: { servername: 'api.internal' } });
    await expect(load({}, { 'proxy-url': 'ftp://x' })).rejects.toThrow('proxy-url of cluster');
  });

  it('a file that is missing, empty or no YAML is named', async () => {
    await expect(loadEndpoint(join(folder, 'none'))).rejects.toThrow(/none/);
    await writeFile(join(folder, 'empty'), '');
    await expect(loadEndpoint(join(folder, 'empty'))).rejects.toThrow(/empty has no current-context; set one/);
    await writeFile(join(folder, 'broken'), 'a: [');
    await expect(loadEndpoint(join(folder, 'broken'))).rejects.toThrow(/broken: /);
  });
});

describe('singleKubeconfig', () => {
  it.each([
    [{ token: 't' }, { authorised: 'Bearer t', cert: undefined }],
    [
      { cert: 'CERT', key: 'KEY' },
      { authorised: undefined, cert: 'CERT' },
    ],
  ])('is read back as it was written: %j', async (credential, expected) => {
    const path = join(folder, 'single');
    await writeFile(path, singleKubeconfig('fleet', 'https://host:8443', 'CA', credential));
    const endpoint = await loadEndpoint(path);
    expect(endpoint).toMatchObject({ url: 'https://host:8443', tls: { ca: 'CA' } });
    expect({ authorised: await endpoint.authorization?.(), cert: endpoint.tls.cert }).toEqual(expected);
  });
});
