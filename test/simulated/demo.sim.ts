/** `fleet demo` as people run it: the tour, and the end by Ctrl-C. */

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { end, exportsOf, fleet, start } from './src/demo-process.ts';

test('after Ctrl-C nothing is left: no folder, no port', async () => {
  const demo = start();
  const shell = await exportsOf(demo);
  const { kubeconfig, bin } = shell;
  const got = await fleet(shell, 'get', 'deployments', '-n', 'shop', '-o', 'name');
  expect(got.stdout.match(/frontend\.clusterspace\.(frankfurt|virginia|tokyo)$/gm)).toHaveLength(3);
  const [, url] = /server: (https:\S+)/.exec(await readFile(kubeconfig, 'utf8'))!;
  expect(await end(demo)).toBe(0);
  expect(existsSync(dirname(bin))).toBe(false);
  await expect(fetch(url!)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

test('the tour shows what it promises, without kubectl', async () => {
  const demo = start('--exit-after-check');
  const [printed, [code]] = await Promise.all([text(demo.stdout!), once(demo, 'exit')]);
  expect(printed).not.toContain('kubectl');
  expect(code, printed).toBe(0);
});

test('FED-39: the tour of --federation shows what it promises, without kubectl', { timeout: 120_000 }, async () => {
  const demo = start('--federation', '--exit-after-check');
  const [printed, [code]] = await Promise.all([text(demo.stdout!), once(demo, 'exit')]);
  expect(printed).not.toContain('kubectl');
  expect(printed).toContain('$ fleet tree deployment/storefront -n storefront\n');
  expect(code, printed).toBe(0);
});
