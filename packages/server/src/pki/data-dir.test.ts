import { X509Certificate } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kubeconfig, loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { openDataDir, openPki, writeAdminKubeconfig } from './data-dir.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-data-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

describe('AUTHN-3: the data directory', () => {
  it('first start: a CA, a serving certificate for the names given, keys with mode 0600', async () => {
    const { ca, serving } = await openPki(folder, ['fleet.example.com', '10.1.2.3']);
    const certificate = new X509Certificate(serving.cert);
    expect(certificate.verify(new X509Certificate(ca.cert).publicKey)).toBe(true);
    for (const name of ['fleet.example.com', 'localhost']) expect(certificate.checkHost(name)).toBe(name);
    for (const address of ['10.1.2.3', '127.0.0.1']) expect(certificate.checkIP(address)).toBe(address);
    const files = await readdir(join(folder, 'pki'));
    expect(files.toSorted()).toEqual(['ca.crt', 'ca.key', 'serving.crt', 'serving.key']);
    for (const file of files) expect((await stat(join(folder, 'pki', file))).mode & 0o777).toBe(0o600);
  });

  it('a folder of keys that others may enter is closed to them', async () => {
    await openPki(folder, []);
    await chmod(join(folder, 'pki'), 0o755);
    await openPki(folder, []);
    expect((await stat(join(folder, 'pki'))).mode & 0o777).toBe(0o700);
  });

  it('a key that others may read is reported', async () => {
    await openPki(folder, []);
    await chmod(join(folder, 'pki/ca.key'), 0o644);
    const warn = vi.fn();
    await openPki(folder, [], warn);
    const key = join(folder, 'pki/ca.key');
    expect(warn.mock.calls).toEqual([[`the private key ${key} is open to others (mode 644): set it to 600`]]);
  });

  it('one that is open to others is reported, and left as it is', async () => {
    const warn = vi.fn();
    await openDataDir(join(folder, 'made'), warn);
    await writeFile(join(folder, 'file'), '');
    await expect(openDataDir(join(folder, 'file'), warn)).rejects.toThrow(/data directory .*file is not a directory$/);
    expect((await stat(join(folder, 'made'))).mode & 0o777).toBe(0o700);
    expect(warn).not.toHaveBeenCalled();
    await chmod(folder, 0o755);
    await openDataDir(folder, warn);
    expect(warn).toHaveBeenCalledWith('the data directory is open to others (mode 755): set it to 700');
    expect((await stat(folder)).mode & 0o777).toBe(0o755);
  });

  it('later starts keep them; a new name renews the serving certificate only', async () => {
    const first = await openPki(folder, []);
    expect(await openPki(folder, [])).toEqual(first);
    const renamed = await openPki(folder, ['new.example.com']);
    expect(renamed.ca).toEqual(first.ca);
    expect(new X509Certificate(renamed.serving.cert).checkHost('new.example.com')).toBe('new.example.com');
  });

  it('a serving certificate about to expire, or of another CA, is made anew', async () => {
    const first = await openPki(folder, []);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 340 * 24 * 60 * 60 * 1000 });
    const renewed = await openPki(folder, []);
    expect(renewed.serving.cert).not.toBe(first.serving.cert);
    vi.useRealTimers();
    await rm(join(folder, 'pki', 'ca.crt'));
    const { ca, serving } = await openPki(folder, []);
    expect(new X509Certificate(serving.cert).verify(new X509Certificate(ca.cert).publicKey)).toBe(true);
  });

  it('IMP-5: the admin kubeconfig carries the group fleet:admins and leads to this server', async () => {
    const { ca } = await openPki(folder, []);
    const path = await writeAdminKubeconfig(folder, 'https://localhost:8443', ca);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const { url, tls } = await loadEndpoint(path);
    expect({ url, ca: tls.ca }).toEqual({ url: 'https://localhost:8443', ca: ca.cert });
    expect(new X509Certificate(tls.cert!).toLegacyObject().subject).toMatchObject({
      CN: 'fleet:admin',
      O: 'fleet:admins',
    });
    const first = await readFile(path, 'utf8');
    await writeAdminKubeconfig(folder, 'https://localhost:8443', ca);
    expect(await readFile(path, 'utf8')).toBe(first);
  });

  it('AUTHN-3: what its user set in the admin kubeconfig outlives a restart, at another address and with another key', async () => {
    const { ca } = await openPki(folder, []);
    const path = await writeAdminKubeconfig(folder, 'https://localhost:8443', ca);
    const config = parse(await readFile(path, 'utf8')) as Required<Kubeconfig>;
    const { cluster } = config.clusters[0]!;
    const at = (name: string, server: string) => ({ name, cluster: { ...cluster, server } });
    config.clusters.push(at('fleet-member1', 'https://localhost:8443/clusterspaces/member1'));
    config.clusters.push(at('other', 'https://localhost:84431'));
    config.users.push({ name: 'alice', user: { token: 't' } });
    config.contexts[0]!.context.namespace = 'team';
    config.contexts.push({
      name: 'fleet-member1',
      context: { cluster: 'fleet-member1', user: 'fleet', namespace: 'n' },
    });
    config.contexts.push({ name: 'mine', context: { cluster: 'other', user: 'alice' } });
    config['current-context'] = 'fleet-member1';
    await writeFile(path, stringify(config));

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 340 * 24 * 60 * 60 * 1000 });
    await writeAdminKubeconfig(folder, 'https://localhost:9443', ca, ['another']);
    vi.useRealTimers();
    const kept = parse(await readFile(path, 'utf8')) as Required<Kubeconfig>;
    expect(kept['current-context']).toBe('fleet-member1');
    expect(kept.contexts).toEqual(config.contexts);
    expect(kept.clusters.map(({ name, cluster: { server } }) => [name, server])).toEqual([
      ['fleet', 'https://localhost:9443'],
      ['fleet-member1', 'https://localhost:9443/clusterspaces/member1'],
      ['other', 'https://localhost:84431'],
    ]);
    const { tls } = await loadEndpoint(path);
    expect(tls).toMatchObject({
      ca: `${ca.cert}\nanother`,
      cert: await readFile(join(folder, 'pki/admin.crt'), 'utf8'),
    });
    expect(kept.users[0]).not.toEqual(config.users[0]);
    expect(kept.users[1]).toEqual(config.users[1]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it.each(['{', 'a: [', '7', '', 'clusters: 7'])(
    'an admin kubeconfig that is none (%j) is put aside and made anew',
    async (text) => {
      const { ca } = await openPki(folder, []);
      const path = await writeAdminKubeconfig(folder, 'https://localhost:8443', ca);
      const first = await readFile(path, 'utf8');
      await writeFile(path, text);
      await writeAdminKubeconfig(folder, 'https://localhost:8443', ca);
      expect(await readFile(path, 'utf8')).toBe(first);
      if (text !== '') expect(await readFile(`${path}.old`, 'utf8')).toBe(text);
    },
  );

  it('a current context that is not there, and a user who was removed, are put right', async () => {
    const { ca } = await openPki(folder, []);
    const path = await writeAdminKubeconfig(folder, 'https://localhost:8443', ca);
    const first = await readFile(path, 'utf8');
    const { users: _, ...config } = parse(first) as Kubeconfig;
    await writeFile(path, stringify({ ...config, 'current-context': 'gone' }));
    await writeAdminKubeconfig(folder, 'https://localhost:8443', ca);
    expect(parse(await readFile(path, 'utf8'))).toEqual(parse(first));
  });

  it('a file that is no certificate is an error that can be acted on, not a new CA', async () => {
    await openPki(folder, []);
    await writeFile(join(folder, 'pki', 'ca.crt'), 'garbage');
    await expect(openPki(folder, [])).rejects.toThrow();
    expect(await readFile(join(folder, 'pki', 'ca.crt'), 'utf8')).toBe('garbage');
  });
});
