/** The example webhook as a server, asked by the product's own client for each operation in both of its languages. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { jsonOfYaml } from '@fleet/kube/yaml-json.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWebhook } from '../../../../../examples/exploring-webhook/server.ts';
import type { AnyObject } from '../../api/objects.ts';
import { createHookCalls, type HookCalls } from './call-hook.ts';
import { configurationFaults } from './configuration-faults.ts';
import { readHooks } from './configurations.ts';
import { createExplorer, type Explorer } from './explorer.ts';
import type { Operation } from './hook-model.ts';
import { createHookIndex } from './select-hook.ts';
import { type ServerCertificate, selfSigned } from './testing/certificates.ts';
import { factsOf } from './testing/sample-hooks.ts';

const folder = join(import.meta.dirname, '../../../../../examples/exploring-webhook');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const objectOf = (text: string): AnyObject => JSON.parse(String(jsonOfYaml(text)));

let tls: ServerCertificate;
let server: Server;
let calls: HookCalls;

beforeAll(async () => {
  tls = selfSigned(['localhost']);
  server = createWebhook(tls).listen(0, '127.0.0.1');
  await once(server, 'listening');
  calls = createHookCalls({ resolveService: () => undefined });
});

afterAll(async () => {
  await calls[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

/** As the README describes, with the port of this test. */
function configurationOf(file: string): AnyObject {
  const caBundle = Buffer.from(tls.cert).toString('base64');
  const port = String((server.address() as AddressInfo).port);
  return objectOf(
    read(file)
      .replace('$' + '{CA_BUNDLE}', caBundle)
      .replace('8443', port),
  );
}

const files = { explore: 'exploring-configuration.yaml', interpret: 'interpreter-configuration.yaml' } as const;

describe.each(['explore', 'interpret'] as const)('EXP-8: the example webhook, %s', (codec) => {
  const template = objectOf(read('workload.yaml'));
  const spec = template['spec'] as Record<string, unknown>;
  const asked: Operation[] = [];
  let explorer: Explorer;

  beforeAll(() => {
    const index = createHookIndex(readHooks(configurationOf(files[codec])));
    explorer = createExplorer({
      hooks: () => index,
      native: () => undefined,
      factsOf,
      call: calls.call,
      onCall: (_, operation, __, outcome) => asked.push(outcome === 'success' ? operation : expect.fail(outcome)),
    });
  });

  it('EXP-6: its configuration is valid, and the CRD is what its rules are for', () => {
    const configuration = configurationOf(files[codec]);
    expect(configurationFaults(configuration)).toEqual([]);
    const crd = objectOf(read('crd.yaml'))['spec'];
    expect(crd).toMatchObject({ group: 'workload.example.io', names: { kind: template.kind, plural: 'workloads' } });
  });

  it('Replica', async () => {
    expect(await explorer.replicas(template)).toEqual({
      replicas: 12,
      requirements: { resourceRequest: { cpu: '250m' } },
    });
  });

  it('ReplicaRevising', async () => {
    expect(await explorer.revise(template, 4)).toEqual({ ...template, spec: { ...spec, replicas: 4 } });
  });

  it('Packing, which Karmada does not ask', async () => {
    const { paused: _, ...running } = spec;
    expect(await explorer.pack(template)).toEqual(codec === 'explore' ? { ...template, spec: running } : template);
  });

  it.each([[true], [false], [undefined]])('Retaining: paused %s in the member', async (paused) => {
    const { paused: _, ...rest } = spec;
    const changed = paused === undefined ? rest : { ...rest, paused };
    expect(await explorer.retain(template, { ...template, spec: changed })).toEqual({ ...template, spec: changed });
  });

  it('Status', async () => {
    const status = { readyReplicas: 3, observed: 'by its own controller' };
    expect(await explorer.reflect({ ...template, status })).toEqual({ readyReplicas: 3 });
  });

  it('StatusAggregating', async () => {
    const items = [
      { clusterName: 'm1', status: { readyReplicas: 3 } },
      { clusterName: 'm2' },
      { clusterName: 'm3', status: { readyReplicas: 4 } },
    ];
    expect(await explorer.aggregate(template, items)).toEqual({ ...template, status: { readyReplicas: 7 } });
    expect(await explorer.aggregate(template, [])).toEqual({ ...template, status: { readyReplicas: 0 } });
  });

  it.each([
    [12, 'Healthy'],
    [11, 'Unhealthy'],
  ])('Healthy: %d ready of 12', async (readyReplicas, health) => {
    expect(await explorer.health({ ...template, status: { readyReplicas } })).toBe(health);
  });

  it('Dependencies', async () => {
    expect(await explorer.dependencies(template)).toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'nginx' },
      { apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 'nginx-password' },
    ]);
  });

  it('every operation was answered by the webhook', () => {
    expect([...new Set(asked)].toSorted()).toEqual(
      ['aggregating', 'dependencies', 'healthy', 'packing', 'replica', 'retaining', 'revising', 'status'].filter(
        (operation) => codec === 'explore' || operation !== 'packing',
      ),
    );
  });
});
