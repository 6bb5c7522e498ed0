import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openPki, writeAdminKubeconfig } from './data-dir.ts';

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

  it('a file that is no certificate is an error that can be acted on, not a new CA', async () => {
    await openPki(folder, []);
    await writeFile(join(folder, 'pki', 'ca.crt'), 'garbage');
    await expect(openPki(folder, [])).rejects.toThrow();
    expect(await readFile(join(folder, 'pki', 'ca.crt'), 'utf8')).toBe('garbage');
  });
});
