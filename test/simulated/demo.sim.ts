/** `fleet demo` as people run it: without kubectl in the PATH, ended by Ctrl-C, kept and started again. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { command, run } from './src/product.ts';

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-demos-'));
  path = join(folder, 'bin');
  await mkdir(path);
  await symlink('/bin/sh', join(path, 'sh'));
});

afterAll(() => rm(folder, { recursive: true }));

function start(...flags: string[]): ChildProcess {
  const demo = spawn(process.execPath, [command, 'demo', ...flags], {
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void demo.kill('SIGINT'));
  return demo;
}

/** What it says to export. */
async function exportsOf({ stdout }: ChildProcess): Promise<{ kubeconfig: string; bin: string }> {
  let printed = '';
  for await (const chunk of stdout!.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    const [, kubeconfig, bin] = /^export KUBECONFIG=(.+)\nexport PATH=(.+):\$PATH$/m.exec(printed) ?? [];
    if (kubeconfig && bin) return { kubeconfig, bin };
  }
  throw new Error(`the demo ended: ${printed}`);
}

async function end(demo: ChildProcess): Promise<number | null> {
  demo.stdout?.resume();
  demo.kill('SIGINT');
  const [code] = (await once(demo, 'exit')) as [number | null];
  return code;
}

test('after Ctrl-C nothing is left: no folder, no port', async () => {
  const demo = start();
  const { kubeconfig, bin } = await exportsOf(demo);
  const env = { KUBECONFIG: kubeconfig, PATH: `${bin}${delimiter}${path}` };
  const got = await run(join(bin, 'fleet'), ['get', 'deployments', '-n', 'shop', '-o', 'name'], env);
  expect(got.stdout.match(/frontend\.clusterspace\.(frankfurt|virginia|tokyo)$/gm)).toHaveLength(3);
  const [, url] = /server: (https:\S+)/.exec(await readFile(kubeconfig, 'utf8'))!;
  expect(await end(demo)).toBe(0);
  expect(existsSync(dirname(bin))).toBe(false);
  await expect(fetch(url!)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

test('one that is kept is there again: the same clusters, at the same ports', async () => {
  const kept = join(folder, 'kept');
  const seen: string[] = [];
  for (const _ of ['first', 'second']) {
    const demo = start('--keep', kept);
    const { kubeconfig, bin } = await exportsOf(demo);
    const env = { KUBECONFIG: kubeconfig, PATH: `${bin}${delimiter}${path}` };
    const { stdout } = await run(join(bin, 'fleet'), ['get', 'clusters', '-o', 'json'], env);
    const { items } = JSON.parse(stdout) as { items: { metadata: object; spec: object }[] };
    seen.push(
      JSON.stringify(items.map(({ spec }) => spec)) + /server: (\S+)/.exec(await readFile(kubeconfig, 'utf8'))![1],
    );
    expect(await end(demo)).toBe(0);
  }
  expect(seen[1]).toBe(seen[0]);
});

test('the tour shows what it promises, without kubectl', async () => {
  const demo = start('--exit-after-check');
  const [printed, [code]] = await Promise.all([text(demo.stdout!), once(demo, 'exit')]);
  expect(printed).not.toContain('kubectl');
  expect(code, printed).toBe(0);
});
