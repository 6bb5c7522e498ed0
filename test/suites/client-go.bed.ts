/** Programs written with client-go on the vanilla view, by suffixed names: typed, dynamic and metadata clients (LIST-9, RV-5). */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { binaryPath, clientGo } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import type { Product } from '@fleet/bed/product.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from './fleet.ts';

interface Step {
  client: string;
  step: string;
  error?: string;
}

const timeout = 120_000;
let fleet: Fleet<'member1' | 'member2'>;

beforeAll(async () => {
  await build([clientGo]);
  fleet = await startFleet({ member1: { version: 'newest', nodes: 0 }, member2: { version: 'older', nodes: 0 } });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

/** Each client's steps, in their order. */
async function steps(product: Product, cluster: string, namespace: string): Promise<Step[]> {
  const args = ['-kubeconfig', product.adminKubeconfig, '-cluster', cluster, '-namespace', namespace];
  const { stdout } = await promisify(execFile)(binaryPath(clientGo), args);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Step);
}

/** A namespace of its own in one member, made as every client would make it. */
async function freshNamespace(product: Product, name: string, cluster: string): Promise<string> {
  const body = { metadata: { name: `${name}.clusterspace.${cluster}` } };
  await product.api.object('/api/v1/namespaces', { method: 'POST', body });
  return name;
}

const failures = (all: readonly Step[]) => all.filter(({ error }) => error !== undefined);

describe('client-go by suffixed names', () => {
  test.each(['member1', 'member2'] as const)('every step of every client, in %s', { timeout }, async (cluster) => {
    const all = await steps(fleet.product, cluster, 'default');
    expect(failures(all)).toEqual([]);
    const counts = Map.groupBy(all, ({ client }) => client);
    expect([...counts].map(([client, { length }]) => [client, length])).toEqual([
      ['typed', 15],
      ['dynamic', 8],
      ['metadata', 5],
      ['conflict', 2],
    ]);
  });

  test('RV-5: the member has what was written, by its plain name', async () => {
    const path = '/api/v1/namespaces/default/configmaps/counted';
    const { data } = await fleet.members.member1.api.object<{ data: unknown }>(path);
    expect(data).toEqual({ count: '40' });
  });

  test('RV-5, negative control: writes without a version lose updates', { timeout }, async () => {
    const product = await fleet.withMutant({
      file: 'server/src/target/stripped-body.ts',
      from: 'if (isVersion(path)) return replaced(versionOf(text));',
      to: 'if (isVersion(path)) return string.member();',
    });
    const all = await steps(product, 'member1', await freshNamespace(product, 'mutant', 'member1'));
    expect(failures(all).map(({ client }) => client)).toContain('conflict');
  });
});
