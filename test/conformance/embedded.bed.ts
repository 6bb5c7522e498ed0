/** Kubernetes' own tests of its API machinery, on a kube-apiserver and on the embedded control plane (COMPAT-4). */

import type { Api } from '@fleet/bed/api.ts';
import { basicControllers } from '@fleet/bed/control-plane.ts';
import { EmbeddedControlPlane } from '@fleet/bed/embedded-control-plane.ts';
import { type Member, startMember } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compare, describeComparison } from './src/comparison.ts';
import { buildSuite, runSuite } from './src/e2e.ts';
import { embeddedSection } from './src/embedded-section.ts';
import { embeddedSelection, exceptionFor, exceptions, shortEmbeddedSelection } from './src/embedded-selection.ts';
import { directly, through } from './src/endpoints.ts';
import { writeSection } from './src/page.ts';
import { named } from './src/selection.ts';

const isLong = process.env['CONFORMANCE'] === 'long';
const selection = isLong ? embeddedSelection : shortEmbeddedSelection;
const timeout = isLong ? 60 * 60_000 : 5 * 60_000;

const running = new AsyncDisposableStack();
let kubernetes: Member;
let product: Product;

async function startEmbedded(mutant?: Mutant): Promise<Product> {
  const controlPlane = running.use(await EmbeddedControlPlane.start());
  const started = running.use(await startProduct({ controlPlane, ...(mutant ? { mutant } : {}) }));
  // Nobody is reached by it; the tests want to know whether addresses are of IPv4.
  await controlPlane.api.object('/api/v1/namespaces/default/services', {
    method: 'POST',
    body: { metadata: { name: 'kubernetes' }, spec: { clusterIP: '10.96.0.1', ports: [{ port: 443 }] } },
  });
  await addNode(controlPlane.api);
  return started;
}

/** The tests do not begin without one that is ready, though none of these needs it. */
async function addNode(api: Api): Promise<void> {
  await api.object('/api/v1/nodes', { method: 'POST', body: { metadata: { name: 'node' } } });
  const patch = (path: string, body: object) =>
    api.object(path, { method: 'PATCH', contentType: 'application/merge-patch+json', body });
  const conditions = [{ type: 'Ready', status: 'True' }];
  await patch('/api/v1/nodes/node/status', { status: { conditions } });
  // Kubernetes keeps pods from a node that is new.
  await patch('/api/v1/nodes/node', { spec: { taints: null } });
}

async function startKubernetes(): Promise<Member> {
  const member = running.use(await startMember({ name: 'kubernetes', nodes: 0, controllers: basicControllers }));
  await addNode(member.api);
  return member;
}

beforeAll(async () => {
  await buildSuite();
  [kubernetes, product] = await Promise.all([startKubernetes(), startEmbedded()]);
}, 20 * 60_000);

afterAll(() => running.disposeAsync());

const runDirectly = (specs = selection) => runSuite({ member: kubernetes, at: directly(kubernetes), selection: specs });

/** Ends with the kube-apiserver, as what is run on that does. */
const runEmbedded = (from = product, specs = selection) =>
  runSuite({ member: kubernetes, at: through('/clusterspaces/{c}', from, 'karmada'), selection: specs });

describe('COMPAT-4: what passes on kube-apiserver passes on the embedded control plane', () => {
  test(`${isLong ? 'all' : 'ten'} specs`, { timeout }, async () => {
    const [direct, embedded] = await Promise.all([runDirectly(), runEmbedded()]);
    const comparison = compare(direct, embedded);
    console.log(describeComparison(comparison));
    if (isLong) await writeSection(embeddedSection({ version: kubernetes.version, direct, embedded }));
    const lacking = comparison.differences.filter(({ passed }) => passed === 'direct');
    expect(lacking.filter(({ spec }) => !exceptionFor(spec))).toEqual([]);
    expect(comparison.through).toBeGreaterThanOrEqual(isLong ? 80 : 10);
    if (isLong) {
      const needed = new Set(lacking.map(({ spec }) => exceptionFor(spec)));
      expect(exceptions.filter((exception) => !needed.has(exception))).toEqual([]);
    }
  });

  test('negative control: one who takes what others own is noticed', { timeout }, async () => {
    const mutant = await startEmbedded({
      file: 'apiserver/src/patch/managers/merging.ts',
      from: 'if (!force && conflicts.length > 0)',
      to: 'if (!force && conflicts.length > 99)',
    });
    const spec = 'ServerSideApply should ignore conflict errors if force apply is used';
    const only = named([spec]);
    const [direct, embedded] = await Promise.all([runDirectly(only), runEmbedded(mutant, only)]);
    const { differences } = compare(direct, embedded);
    expect(differences).toMatchObject([{ passed: 'direct', spec: expect.stringContaining(spec) }]);
  });
});
