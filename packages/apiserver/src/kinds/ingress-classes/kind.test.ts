import { expect, it } from 'vitest';
import { createFaults, decoded, updateFaults } from '../../testing/kind-rules.ts';
import { ingressClasses } from './kind.ts';

const parameters = { kind: 'K', name: 'n' };

it('NETWORK-2: an IngressClass has parameters of the cluster by default, and keeps its controller', async () => {
  expect(decoded(ingressClasses, { spec: { controller: 'a.io/c', parameters } })['spec']).toMatchObject({
    parameters: { scope: 'Cluster' },
  });
  expect(
    await updateFaults(ingressClasses, { spec: { controller: 'a.io/c' } }, { spec: { controller: 'a.io/d' } }),
  ).toEqual(['spec.controller: Invalid value: "a.io/d": field is immutable']);
});

it.each([
  [{ controller: 'c' }, 'spec.controller: Invalid value: "c": must be a domain-prefixed path (such as "acme.io/foo")'],
  [
    { controller: 'a.io/c', parameters: { ...parameters, scope: 'Namespace' } },
    "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
  ],
  [{ controller: 'a.io/c', parameters: { kind: 'K' } }, 'spec.parameters.name: Required value'],
])('NETWORK-2: %o is refused', async (spec, fault) => {
  expect(await createFaults(ingressClasses, { spec })).toEqual([fault]);
});
