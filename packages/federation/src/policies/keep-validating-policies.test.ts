import { StatusError } from '@fleet/kube/status.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import { fakeControlPlane } from '../testing/fake-control-plane.ts';
import { keepValidatingPolicies, removeValidatingPolicies } from './keep-validating-policies.ts';
import { validatingPolicies } from './validating-policy.ts';

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const protection = `${policies}/fleet-deletion-protection`;
const settled = { timeout: 5_000, interval: 10 };

async function keep(fake = fakeControlPlane()) {
  const warnings: string[] = [];
  const log = { info() {}, warn: (_: object, text: string) => void warnings.push(text) };
  const kept = await keepValidatingPolicies({ client: fake.client, log });
  onTestFinished(() => kept[Symbol.asyncDispose]());
  return { ...fake, warnings };
}

it('FED-2: installs each policy with its binding, once', async () => {
  const { writes, client } = await keep();
  await vi.waitFor(() => expect(writes).toHaveLength(validatingPolicies.length), settled);
  expect(writes.every((write) => write.startsWith('POST'))).toBe(true);
  expect(await client.get(protection)).toMatchObject({ spec: { failurePolicy: 'Fail' } });
});

it('FED-2: puts back what somebody changes, and makes again what somebody deletes', async () => {
  const { client, writes } = await keep();
  await vi.waitFor(() => expect(writes).toHaveLength(validatingPolicies.length), settled);
  await client.patch(protection, 'merge', { spec: { validations: [], failurePolicy: 'Ignore' } });
  await vi.waitFor(async () => {
    const { spec } = await client.get<AnyObject & { spec: { validations: object[]; failurePolicy: string } }>(
      protection,
    );
    expect(spec).toMatchObject({ failurePolicy: 'Fail', validations: [{ reason: 'Forbidden' }] });
  }, settled);
  await client.delete(protection);
  await vi.waitFor(() => expect(client.get(protection)).resolves.toBeDefined(), settled);
});

it('CP-3: existing policies, with the defaults of their server, are left as they are', async () => {
  const fake = fakeControlPlane();
  for (const object of validatingPolicies) {
    const path = object.kind.endsWith('Binding') ? policies.replace('policies', 'policybindings') : policies;
    await fake.client.create(path, { ...object, spec: { ...(object['spec'] as object), defaulted: true } });
  }
  fake.writes.length = 0;
  const reads: string[] = [];
  fake.onRequest = ({ verb, name }) => void (verb === 'get' && reads.push(name!));
  const { writes } = await keep(fake);
  await vi.waitFor(() => expect(new Set(reads).size).toBe(validatingPolicies.length / 2), settled);
  expect(writes).toEqual([]);
});

it('CP-3: a control plane without such policies is used as it is, and that is logged', async () => {
  const fake = fakeControlPlane();
  fake.onRequest = () => {
    throw new StatusError(404, 'NotFound', 'no such resource');
  };
  const { warnings, writes } = await keep(fake);
  expect(warnings).toEqual([expect.stringContaining('does not serve them')]);
  expect(writes).toEqual([]);
});

it('FED-38: takes away its own, also where they are gone', async () => {
  const fake = fakeControlPlane();
  const { client, writes } = await keep(fake);
  await vi.waitFor(() => expect(writes).toHaveLength(validatingPolicies.length), settled);
  const other = fakeControlPlane();
  for (const object of validatingPolicies) {
    const path = object.kind.endsWith('Binding') ? policies.replace('policies', 'policybindings') : policies;
    await other.client.create(path, object);
  }
  await other.client.create(policies, { ...validatingPolicies[0], metadata: { name: 'other' } });
  await removeValidatingPolicies(other.client);
  await removeValidatingPolicies(other.client);
  const { items } = await other.client.list<AnyObject>(policies);
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['other']);
  expect(await client.get(protection)).toBeDefined();
});
