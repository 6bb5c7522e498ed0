import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kubeconfig, singleKubeconfig } from '@fleet/client/kubeconfig.ts';
import { type ApiServer, startApiServer } from '@fleet/client/testing/api-server.ts';
import { openPki } from '@fleet/server/pki/data-dir.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../program.ts';

let server: ApiServer;
let folder: string;
let ca: string;
let printed: string;

const day = 86_400_000;

beforeAll(async () => {
  server = await startApiServer(({ url }, response) => {
    if (url === '/version') response.end('{"gitVersion":"v1.36.3+fleet.0.1.0"}');
    else if (url!.includes('/clusters?limit=1')) response.end('{"items":[{"metadata":{"name":"tokyo"}}]}');
    else response.writeHead(404).end('{"kind":"Status","code":404,"message":"not found"}');
  });
  folder = await mkdtemp(join(tmpdir(), 'fleet-user-'));
  ca = (await openPki(folder, [])).ca.cert;
  await writeFile(join(folder, 'admin.kubeconfig'), singleKubeconfig('fleet', server.url, ca, { token: 't' }));
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  printed = '';
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  }
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(out(), { force: true });
});

const out = () => join(folder, 'out');
const run = (name: string, ...flags: string[]) => runAt('admin.kubeconfig', name, ...flags);
const runAt = (kubeconfig: string, name: string, ...flags: string[]) =>
  createProgram().parseAsync(
    ['create', 'user', name, '--output', out(), '--fleet-kubeconfig', join(folder, kubeconfig), ...flags],
    { from: 'user' },
  );

async function written() {
  const { clusters, users } = parse(await readFile(out(), 'utf8')) as Required<Kubeconfig>;
  const data = users[0]!.user['client-certificate-data']!;
  return { server: clusters[0]!.cluster.server, cert: new X509Certificate(Buffer.from(data, 'base64')) };
}

describe('AUTHN-3: fleet create user, beside the data directory', () => {
  test('a certificate of the fleet’s CA in a kubeconfig that only its owner can read', async () => {
    await run('alice', '--group', 'developers', 'testers', '--valid-for', '7d');
    expect((await stat(out())).mode & 0o777).toBe(0o600);
    const { cert, server: url } = await written();
    expect(url).toBe(server.url);
    expect(cert.subject.split('\n').sort()).toEqual(['CN=alice', 'O=developers', 'O=testers']);
    expect(cert.verify(new X509Certificate(ca).publicKey)).toBe(true);
    expect(Math.abs(cert.validToDate.getTime() - Date.now() - 7 * day)).toBeLessThan(60_000);
    expect(printed).toContain(`Wrote ${out()}: user alice, groups developers, testers, until `);
  });

  test.each(['#0c0e73797374656d3a6d617374657273', 'x\\2c', '"system:masters"'])(
    'the group %j is just that text in the certificate',
    async (group) => {
      await run('alice', '--group', group);
      expect((await written()).cert.toLegacyObject().subject).toEqual({ CN: 'alice', O: group });
      expect(printed).toContain(`user alice, group ${group}, until `);
    },
  );

  test('30 days without --valid-for', async () => {
    await run('alice');
    const { cert } = await written();
    expect(Math.abs(cert.validToDate.getTime() - Date.now() - 30 * day)).toBeLessThan(60_000);
  });

  test('what to grant next is printed for a cluster of the fleet, to the group if there is one', async () => {
    await run('alice');
    expect(printed).toContain('resourceNames: [tokyo]');
    expect(printed).toContain('create clusterrolebinding alice-view --clusterrole view --user alice\n');
    await rm(out());
    await run('alice', '--group', 'developers');
    expect(printed).toContain('create clusterrolebinding developers-view --clusterrole view --group developers\n');
    await rm(out());
    printed = '';
    await run('bob', '--group', 'fleet:admins');
    expect(printed).toContain('Nothing to grant');
    expect(printed).not.toContain('resourceNames');
  });

  test.each([
    ['system:admin', [], '"system:admin": names that begin with "system:" are those of Kubernetes itself'],
    ['alice', ['--group', 'system:masters'], '"system:masters": names that begin'],
    ['', [], '"" is no name for a user or a group'],
    ['alice', ['--valid-for', '9m'], '--valid-for takes a time such as 30s, 5m, 1h30m or 30d, of 10m or more'],
    ['alice', ['--valid-for', '9999d'], 'a certificate cannot be valid for longer'],
  ])('refused: %j %j', async (name, flags, message) => {
    await expect(run(name, ...flags)).rejects.toThrow(message);
    await expect(stat(out())).rejects.toThrow('ENOENT');
  });

  test('a file that is there is not replaced', async () => {
    await writeFile(out(), 'mine');
    await expect(run('alice')).rejects.toThrow(`${out()} is there already`);
    expect(await readFile(out(), 'utf8')).toBe('mine');
  });
});

describe('AUTHN-3: fleet create user, for another fleet', () => {
  beforeAll(async () => {
    const other = await mkdtemp(join(folder, 'other-'));
    await writeFile(join(other, 'kubeconfig'), singleKubeconfig('fleet', server.url, ca, { token: 't' }));
    await openPki(join(folder, 'another-fleet'), []);
    otherFleet = `${other.slice(folder.length + 1)}/kubeconfig`;
  });
  let otherFleet: string;

  test('--data-dir names the CA', async () => {
    await runAt(otherFleet, 'alice', '--data-dir', folder);
    expect((await written()).cert.subject).toBe('CN=alice');
  });

  test.each([
    [['--data-dir', 'another-fleet'], 'is the data directory of another fleet'],
    [['--data-dir', 'nowhere'], 'has no pki/ca.key'],
    [['--group', 'fleet:admins'], 'only the CA of the fleet can give the name "fleet:admins"'],
    [[], 'the control plane signs no certificates'],
  ])('%j', async (flags, message) => {
    const [flag, value] = flags;
    const words = flag === '--data-dir' ? [flag, join(folder, value!)] : flags;
    await expect(runAt(otherFleet, 'alice', ...words)).rejects.toThrow(message);
    await expect(stat(out())).rejects.toThrow('ENOENT');
  });
});
