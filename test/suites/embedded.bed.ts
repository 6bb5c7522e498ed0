/** CP-1: the embedded API server in a process of its own, used by a real kubectl. */

import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ServerProcess } from './embedded/server-process.ts';

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-embedded-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const manifest = (name: string, data: object) => ({
  stdin: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: name } }, data }),
});

describe('CP-1: kubectl on the embedded API server', () => {
  test('creates, reads, replaces, selects and deletes', async () => {
    await using server = await ServerProcess.start(newFolder());
    const kubectl = server.kubectl.bind(server);
    expect(await kubectl('create', '-f', '-', manifest('a', { x: '1' }))).toMatchObject({
      code: 0,
      stdout: 'configmap/a created\n',
    });
    expect((await kubectl('create', '-f', '-', manifest('a', {}))).stderr).toContain('configmaps "a" already exists');
    await kubectl('create', 'cm', 'b');
    expect((await kubectl('get', 'cm', '-A')).stdout).toMatch(
      /^NAMESPACE +NAME +DATA +AGE\ndefault +a +1 +\d+s\ndefault +b +0 +\d+s\n$/,
    );
    expect((await kubectl('get', 'cm', '-l', 'app=a', '-o', 'name')).stdout).toBe('configmap/a\n');
    expect((await kubectl('get', 'cm', '--field-selector', 'metadata.name=b', '-o', 'name')).stdout).toBe(
      'configmap/b\n',
    );
    expect(await kubectl('replace', '-f', '-', manifest('a', { x: '2' }))).toMatchObject({
      stdout: 'configmap/a replaced\n',
    });
    expect((await kubectl('get', 'cm', 'a', '-o', 'jsonpath={.data.x}')).stdout).toBe('2');
    expect((await kubectl('create', 'cm', 'c', '--dry-run=server')).stdout).toContain('created (server dry run)');
    expect((await kubectl('get', 'cm', 'c')).stderr).toContain('configmaps "c" not found');
    expect((await kubectl('delete', 'cm', 'a')).stdout).toContain('configmap "a" deleted');
    expect((await kubectl('delete', 'cm', '--all')).stdout).toContain('configmap "b" deleted');
    expect((await kubectl('get', 'cm')).stderr).toContain('No resources found in default namespace.');
  });

  test('applies, by client and by server, and patches', async () => {
    await using server = await ServerProcess.start(newFolder());
    const kubectl = server.kubectl.bind(server);
    const apply = (...args: Parameters<typeof kubectl>) => kubectl('apply', '-f', '-', ...args);
    expect((await apply(manifest('a', { x: '1' }))).stdout).toBe('configmap/a created\n');
    expect((await apply(manifest('a', { x: '1' }))).stdout).toBe('configmap/a unchanged\n');
    expect((await apply(manifest('a', { y: '2' }))).stdout).toBe('configmap/a configured\n');
    expect((await kubectl('label', 'cm', 'a', 'tier=web')).stdout).toBe('configmap/a labeled\n');
    for (const type of ['strategic', 'merge']) {
      expect((await kubectl('patch', 'cm', 'a', '--type', type, '-p', `{"data":{"${type}":"1"}}`)).code).toBe(0);
    }
    // What kubectl applied by itself before, it takes over without a conflict; another manager does not.
    expect((await apply('--server-side', manifest('a', { y: '3' }))).code).toBe(0);
    const other = ['--server-side', '--field-manager=other'];
    expect((await apply(...other, manifest('a', { y: '4' }))).stderr).toContain('conflict with "kubectl"');
    expect((await apply(...other, '--force-conflicts', manifest('a', { y: '4' }))).code).toBe(0);
    expect(JSON.parse((await kubectl('get', 'cm', 'a', '-o', 'jsonpath={.data}')).stdout)).toEqual({
      y: '4',
      strategic: '1',
      merge: '1',
    });
  });

  test('explains kinds, checks manifests, shows differences', async () => {
    await using server = await ServerProcess.start(newFolder());
    const kubectl = server.kubectl.bind(server);
    expect((await kubectl('explain', 'deployment.spec.strategy')).stdout).toMatch(
      /GROUP: +apps\nKIND: +Deployment\nVERSION: +v1\n[\s\S]*FIELD: strategy <DeploymentStrategy>[\s\S]*rollingUpdate\t<RollingUpdateDeployment>/,
    );
    const odd = JSON.parse(manifest('a', { x: '1' }).stdin);
    const wrong = { stdin: JSON.stringify({ ...odd, dat: {} }) };
    expect((await kubectl('create', '-f', '-', wrong)).stderr).toContain('strict decoding error: unknown field "dat"');
    expect((await kubectl('create', '--validate=warn', '-f', '-', wrong)).stderr).toContain(
      'Warning: unknown field "dat"',
    );
    const { code, stdout } = await kubectl('diff', '-f', '-', manifest('a', { x: '2' }));
    expect(code).toBe(1);
    expect(stdout).toMatch(/- {2}x: "1"\n\+ {2}x: "2"/);
    expect((await kubectl('api-resources', '--api-group=apps', '-o', 'name')).stdout).toContain('deployments.apps\n');
  });

  test('scales, and deletes what is owned in the order that is asked for', async () => {
    await using server = await ServerProcess.start(newFolder());
    const kubectl = server.kubectl.bind(server);
    await kubectl('create', 'deployment', 'web', '--image=example.dev/web');
    expect((await kubectl('scale', 'deployment', 'web', '--replicas=3')).stdout).toBe('deployment.apps/web scaled\n');
    const uid = (await kubectl('get', 'deployment', 'web', '-o', 'jsonpath={.metadata.uid}')).stdout;
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid, blockOwnerDeletion: true }];
    const owned = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owned', ownerReferences } };
    await kubectl('create', '-f', '-', { stdin: JSON.stringify(owned) });
    expect((await kubectl('delete', 'deployment', 'web', '--cascade=foreground')).code).toBe(0);
    expect((await kubectl('get', 'cm', 'owned')).stderr).toContain('configmaps "owned" not found');
  });

  test('pages through a long list', async () => {
    await using server = await ServerProcess.start(newFolder());
    const items = Array.from({ length: 25 }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `m${index}` },
    }));
    await server.kubectl('create', '-f', '-', {
      stdin: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
    });
    const { stdout } = await server.kubectl('get', 'cm', '--chunk-size=4', '-o', 'name');
    expect(stdout.trim().split('\n')).toHaveLength(25);
  });

  test('watches, and deletes a namespace with all that is in it', async () => {
    await using server = await ServerProcess.start(newFolder());
    await server.kubectl('create', 'ns', 'x');
    const watch = server.start('get', 'cm', '-n', 'x', '-w', '--output-watch-events');
    const lines = createInterface(watch.stdout)[Symbol.asyncIterator]();
    await server.kubectl('create', 'cm', 'a', '-n', 'x');
    expect((await lines.next()).value).toMatch(/^EVENT +NAME +DATA +AGE$/);
    expect((await lines.next()).value).toMatch(/^ADDED +a +0 /);
    expect(await server.kubectl('delete', 'ns', 'x')).toMatchObject({ code: 0 });
    expect((await lines.next()).value).toMatch(/^DELETED +a +0 /);
    expect((await server.kubectl('get', 'ns', 'x')).stderr).toContain('namespaces "x" not found');
    watch.kill();
    await once(watch, 'close');
  });

  test('CP-7: after kill -9 all that was acknowledged to kubectl is there', async () => {
    const folder = newFolder();
    const first = await ServerProcess.start(folder);
    await first.kubectl('create', 'cm', 'a', '--from-literal=x=1');
    const { stdout: before } = await first.kubectl('get', 'cm', 'a', '-o', 'json');
    await first.kill();
    await using second = await ServerProcess.start(folder);
    expect((await second.kubectl('get', 'cm', 'a', '-o', 'json')).stdout).toBe(before);
  });
});

describe('CP-6: Secrets at rest', () => {
  const onDisk = (folder: string): string =>
    readdirSync(join(folder, 'data'))
      .map((name) => readFileSync(join(folder, 'data', name), 'latin1'))
      .join('');
  const encoded = Buffer.from('a hidden password').toString('base64');

  async function diskAfterCreate(mutant?: Mutant): Promise<string> {
    const folder = newFolder();
    await using server = await ServerProcess.start(folder, mutant);
    await server.kubectl('create', 'secret', 'generic', 's', '--from-literal=p=a hidden password');
    expect((await server.kubectl('get', 'secret', 's', '-o', 'jsonpath={.data.p}')).stdout).toBe(encoded);
    return onDisk(folder);
  }

  test('nothing of them can be read on disk', async () => {
    expect(await diskAfterCreate()).not.toContain(encoded);
  });

  test('a server that does not encrypt them is noticed', async () => {
    const disk = await diskAfterCreate({
      file: 'apiserver/src/api-server.ts',
      from: '[keyPrefix(secrets)]',
      to: '[]',
    });
    expect(disk).toContain(encoded);
  });
});
