/** Commands of the guides, run as they are written, with the output that they show. */

import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runShell } from '../suites/src/run-shell.ts';
import { patternOf, readTour, type Step } from '../suites/src/tour.ts';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { hasKubectl } from './src/kubectl.ts';
import { command, type Product, startProduct } from './src/product.ts';

let fleet: SimulatedFleet;
/** Where readers of the guides are: with `fleet` in the PATH, and `fleet-data` here. */
let folder: string;
let PATH: string;

beforeAll(async () => {
  if (!hasKubectl) return;
  fleet = await startFleet({ members: ['member1'] });
  folder = fleet.folder;
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await symlink(command, join(bin, 'fleet'));
  await symlink(process.execPath, join(bin, 'node'));
  PATH = [bin, process.env['PATH']].join(delimiter);
  const metadata = { name: 'hello' };
  await fleet.members.get('member1')!.client.create('/api/v1/namespaces/default/configmaps', { metadata });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const steps = async (guide: string, heading: string): Promise<Step[]> =>
  readTour(await readFile(join(import.meta.dirname, '../../docs/guides', guide), 'utf8'), heading);

async function follow({ commands, shows }: Step, product: Product): Promise<void> {
  const env = { KUBECONFIG: product.adminKubeconfig, KUBECACHEDIR: join(folder, 'cache'), FLEET: product.url };
  const { code, output } = await runShell(commands, folder, { ...process.env, ...env, PATH });
  expect(code, output).toBe(0);
  if (shows !== undefined) expect(output).toMatch(patternOf(shows));
}

const followAll = async (guide: string, heading: string, product: Product): Promise<void> => {
  const all = await steps(guide, heading);
  expect(all.length).toBeGreaterThan(0);
  for (const step of all) await follow(step, product);
};

const listed = (product: Product) => product.fleet('get', 'configmap', 'hello.clusterspace.member1', '-o', 'name');
const served = { code: 0, stdout: 'configmap/hello.clusterspace.member1\n' };

describe.skipIf(!hasKubectl)('on a running fleet', () => {
  test('which URL for what', () => followAll('which-url.md', 'The same object by each of them', fleet.product));

  test('troubleshooting', () => followAll('troubleshooting.md', 'First look', fleet.product));
});

// Each starts servers one after the other.
describe.skipIf(!hasKubectl)('on its data directory', { timeout: 180_000 }, () => {
  const data = () => join(folder, 'fleet-data');

  /** The server that readers have, on what is in the folder now; it leaves its data there. */
  async function serving<T>(use: (product: Product) => Promise<T>): Promise<T> {
    await using product = await startProduct({ copyOf: data() });
    const used = await use(product);
    await product.stop('SIGTERM');
    await rm(data(), { recursive: true });
    await cp(product.dataDir, data(), { recursive: true });
    return used;
  }

  beforeAll(async () => {
    await fleet.product.stop('SIGTERM');
    await cp(fleet.product.dataDir, data(), { recursive: true });
  });

  test('backup and restore', async () => {
    await followAll('backup.md', 'Back up', fleet.product);
    await writeFile(join(data(), 'control-plane/store.db'), 'no database');
    await expect(serving(listed)).rejects.toThrow('fleet serve ended with 1');
    await followAll('backup.md', 'Restore', fleet.product);
    expect(await serving(listed)).toMatchObject(served);
  });

  test('AUTHN-3: the CA', async () => {
    const before = join(folder, 'before.kubeconfig');
    await serving((product) => cp(product.adminKubeconfig, before));
    await followAll('rotating-keys.md', 'The CA', fleet.product);
    await serving(async (product) => {
      expect(await listed(product)).toMatchObject(served);
      const server = `kubectl --server ${product.url} --kubeconfig ${before}`;
      const { output } = await runShell(`${server} get nodes || true`, folder, process.env);
      expect(output).toContain('certificate signed by unknown authority');
      const untrusting = await runShell(`${server} --insecure-skip-tls-verify get nodes || true`, folder, process.env);
      expect(untrusting.output).toContain('You must be logged in to the server');
    });
  });

  test('CP-6: encryption of Secrets', async () => {
    const [add, rewrite, remove, ...more] = await steps('rotating-keys.md', 'Encryption of Secrets');
    expect(more).toEqual([]);
    const keys = () => readFile(join(data(), 'control-plane/encryption.keys'), 'utf8');
    await follow(add!, fleet.product);
    expect(await keys()).toMatch(/^key2:.+\nkey1:.+\n$/);
    await serving((product) => follow(rewrite!, product));
    await follow(remove!, fleet.product);
    expect(await keys()).toMatch(/^key2:.+\n$/);
    expect(await serving(listed)).toMatchObject(served);
  });
});
