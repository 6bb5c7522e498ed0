/** The product as others get it: packed by `npm run pack`, installed by `npm install -g`, found in the PATH. Fetches nothing. */

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from './src/product.ts';

const root = join(import.meta.dirname, '../..');
let folder: string;
let env: NodeJS.ProcessEnv;
let fleet: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-packed-'));
  const [packed, prefix, home] = ['packed', 'prefix', 'home'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(home);
  // Neither the packages that npm keeps for this user nor a registry: whatever is missing in the tarball is an error.
  env = {
    PATH: [join(prefix, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    HOME: home,
    KUBECONFIG: '',
    npm_config_offline: 'true',
    npm_config_cache: join(folder, 'cache'),
    npm_config_userconfig: join(home, 'npmrc'),
  };
  const pack = await run(process.execPath, [join(root, '.ci/pack.ts'), packed], env);
  expect(pack.code, pack.stderr).toBe(0);
  const [tarball] = await readdir(packed);
  const install = await run('npm', ['install', '--global', '--prefix', prefix, join(packed, tarball!)], env);
  expect(install.code, install.stderr).toBe(0);
  fleet = join(prefix, 'bin/fleet');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('the command is in the PATH, and nothing of this repository is in it', async () => {
  expect(existsSync(fleet)).toBe(true);
  const { code, stdout } = await run('sh', ['-c', 'command -v fleet && cd "$HOME" && fleet --version'], env);
  expect([code, stdout]).toEqual([0, `${fleet}\nv0.1.0\n`]);
});

test('a whole fleet with simulated clusters runs from it: the tour shows what it promises', async () => {
  const { code, stdout, stderr } = await run(fleet, ['demo', '--exit-after-check'], env);
  expect(code, `${stdout}${stderr}`).toBe(0);
});
