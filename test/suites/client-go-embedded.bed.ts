/** Programs written with client-go on the embedded control plane, at the endpoint that leads to it alone (COMPAT-2). */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { binaryPath, clientGo } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import { EmbeddedControlPlane } from '@fleet/bed/embedded-control-plane.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { startProduct } from '@fleet/bed/product.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

interface Step {
  client: string;
  step: string;
  error?: string;
}

const timeout = 120_000;
const running = new AsyncDisposableStack();
let controlPlane: EmbeddedControlPlane;

/** With its product. */
async function startEmbedded(mutant?: Mutant): Promise<EmbeddedControlPlane> {
  const started = running.use(await EmbeddedControlPlane.start());
  running.use(await startProduct({ controlPlane: started, ...(mutant ? { mutant } : {}) }));
  return started;
}

beforeAll(async () => {
  await build([clientGo]);
  controlPlane = await startEmbedded();
});

afterAll(() => running.disposeAsync());

/** In a namespace of its own. */
async function steps(
  { api, kubeconfig }: EmbeddedControlPlane,
  namespace: string,
  clients: readonly string[],
  env: NodeJS.ProcessEnv = {},
  flags: readonly string[] = [],
): Promise<Step[]> {
  await api.object('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: namespace } } });
  const args = ['-kubeconfig', kubeconfig, '-namespace', namespace, '-clients', clients.join(','), ...flags];
  const { stdout } = await promisify(execFile)(binaryPath(clientGo), args, { env: { ...process.env, ...env } });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Step);
}

const failures = (all: readonly Step[]) => all.filter(({ error }) => error !== undefined);

describe('COMPAT-2: client-go at /clusterspaces/karmada', () => {
  test('typed, dynamic and metadata clients, two writers of one object, apply', { timeout }, async () => {
    const all = await steps(controlPlane, 'clients', ['typed', 'dynamic', 'metadata', 'conflict', 'apply']);
    expect(failures(all)).toEqual([]);
    const counts = Map.groupBy(all, ({ client }) => client);
    expect([...counts].map(([client, { length }]) => [client, length])).toEqual([
      ['typed', 13],
      ['dynamic', 8],
      ['metadata', 5],
      ['conflict', 2],
      ['apply', 8],
    ]);
    const { data } = await controlPlane.api.object<{ data: unknown }>('/api/v1/namespaces/clients/configmaps/counted');
    expect(data).toEqual({ count: '40' });
  });

  test.each(['true', 'false'])('informers, WatchListClient=%s', { timeout }, async (enabled) => {
    const env = { KUBE_FEATURE_WatchListClient: enabled };
    const all = await steps(controlPlane, `informers-${enabled}`, ['informers'], env);
    expect(failures(all)).toEqual([]);
    expect(all.map(({ step }) => step)).toEqual(['define', 'sync', 'hold what is there', 'hold what is changed']);
  });

  test('leader election: one leads, the next when it releases the lease or vanishes', { timeout }, async () => {
    const all = await steps(controlPlane, 'election', ['election']);
    expect(failures(all)).toEqual([]);
    expect(all).toHaveLength(4);
    const path = '/apis/coordination.k8s.io/v1/namespaces/election/leases/led';
    const { spec } = await controlPlane.api.object<{ spec: { leaseTransitions: number } }>(path);
    expect(spec.leaseTransitions).toBe(2);
  });
});

describe('negative controls', () => {
  test.each([
    {
      bug: 'deletions are not sent',
      mutant: {
        file: 'apiserver/src/watch-cache/watch-cache.ts',
        from: 'const shared = batch.events.map(',
        to: 'const shared = batch.events.filter(({ value }) => value !== undefined).map(',
      },
      client: 'informers',
    },
    {
      bug: 'a version that is old is not minded',
      mutant: {
        file: 'apiserver/src/registry/update.ts',
        from: 'if (version !== old.metadata.resourceVersion) throw conflict(kind, name, modifiedMeanwhile);',
        to: '',
      },
      client: 'conflict',
    },
    {
      bug: 'what others own is overwritten',
      mutant: {
        file: 'apiserver/src/patch/managers/merging.ts',
        from: 'if (!force && conflicts.length > 0)',
        to: 'if (!force && conflicts.length > 99)',
      },
      client: 'apply',
    },
    {
      bug: 'changes of a Lease are lost',
      mutant: {
        file: 'apiserver/src/kinds/leases.ts',
        from: "prepareForUpdate: ({ spec }, old) => withoutCoordination(spec as LeaseSpec, (old['spec'] ?? {}) as LeaseSpec),",
        to: "prepareForUpdate: (object, old) => Object.assign(object, { spec: old['spec'] }),",
      },
      client: 'election',
    },
  ])('$bug: noticed by $client', { timeout }, async ({ mutant, client }) => {
    const all = await steps(await startEmbedded(mutant), 'mutant', [client], {}, ['-patience', '8s']);
    expect(failures(all).map((step) => step.client)).toContain(client);
  });
});
