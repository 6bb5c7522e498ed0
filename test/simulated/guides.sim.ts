/** Commands of the guides, run as they are written, with the output that they show. */

import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runShell } from '../suites/src/run-shell.ts';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { GuideReader } from './src/guide.ts';
import { hasKubectl } from './src/kubectl.ts';
import { type Product, startProduct } from './src/product.ts';

let fleet: SimulatedFleet;
/** With `fleet-data` in its folder. */
let reader: GuideReader;

beforeAll(async () => {
  if (!hasKubectl) return;
  fleet = await startFleet({ members: ['member1'] });
  reader = await GuideReader.in(fleet.folder);
  const metadata = { name: 'hello' };
  await fleet.members.get('member1')!.client.create('/api/v1/namespaces/default/configmaps', { metadata });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const followAll = (guide: string, heading: string, product: Product) => reader.followAll(guide, heading, product);

const listed = (product: Product) => product.fleet('get', 'configmap', 'hello.clusterspace.member1', '-o', 'name');
const served = { code: 0, stdout: 'configmap/hello.clusterspace.member1\n' };

describe.skipIf(!hasKubectl)('on a running fleet', () => {
  test('which URL for what', () => followAll('which-url.md', 'The same object by each of them', fleet.product));

  test('troubleshooting', () => followAll('troubleshooting.md', 'First look', fleet.product));

  test('versions', () => followAll('upgrading.md', 'Check the versions', fleet.product));
});

// Each starts servers one after the other.
describe.skipIf(!hasKubectl)('on its data directory', { timeout: 180_000 }, () => {
  const data = () => join(reader.folder, 'fleet-data');

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
    const before = join(reader.folder, 'before.kubeconfig');
    await serving((product) => cp(product.adminKubeconfig, before));
    await followAll('rotating-keys.md', 'The CA', fleet.product);
    await serving(async (product) => {
      expect(await listed(product)).toMatchObject(served);
      const server = `kubectl --server ${product.url} --kubeconfig ${before}`;
      const { output } = await runShell(`${server} get nodes || true`, reader.folder, process.env);
      expect(output).toContain('certificate signed by unknown authority');
      const untrusting = await runShell(
        `${server} --insecure-skip-tls-verify get nodes || true`,
        reader.folder,
        process.env,
      );
      expect(untrusting.output).toContain('You must be logged in to the server');
    });
  });

  test('CP-6: encryption of Secrets', async () => {
    const [add, rewrite, remove, ...more] = await reader.steps('rotating-keys.md', 'Encryption of Secrets');
    expect(more).toEqual([]);
    const keys = () => readFile(join(data(), 'control-plane/encryption.keys'), 'utf8');
    await reader.follow(add!, fleet.product);
    expect(await keys()).toMatch(/^key2:.+\nkey1:.+\n$/);
    await serving((product) => reader.follow(rewrite!, product));
    await reader.follow(remove!, fleet.product);
    expect(await keys()).toMatch(/^key2:.+\n$/);
    expect(await serving(listed)).toMatchObject(served);
  });
});
