import { KubeClient } from '@fleet/client/kube-client.ts';
import type { UpstreamCall } from '@fleet/client/upstream.ts';
import { expect, it, vi } from 'vitest';
import { clustersPath, inNamespace, namespacesPath, propagationPoliciesPath } from './api/paths.ts';
import { runFederation } from './run-federation.ts';
import { fakeControlPlane } from './testing/fake-control-plane.ts';
import { configMapNamed, configMaps, namespaceNamed, settled } from './testing/fake-federation.ts';
import { servedKinds } from './testing/fake-pipeline.ts';

const within = (millis: number, promise: Promise<unknown>): Promise<string> =>
  Promise.race([
    promise.then(
      () => 'ended',
      () => 'ended',
    ),
    new Promise<string>((resolve) => setTimeout(resolve, millis, 'still running')),
  ]);

const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

it('FED-8, FED-9: a process that no longer leads writes nothing more, also not to a member that it was waiting for', async () => {
  const { client } = fakeControlPlane();
  const member = fakeControlPlane();
  const { upstream } = member.client;
  const held = Promise.withResolvers<void>();
  let isHeld = false;
  const slow = new KubeClient({
    async call(call: UpstreamCall) {
      if (call.method === 'GET' && call.path.endsWith('/configmaps/web')) {
        isHeld = true;
        await Promise.race([held.promise, whenAborted(call.signal)]);
      }
      return upstream.call(call);
    },
    upgrade: (call) => upstream.upgrade(call),
    [Symbol.asyncDispose]: async () => {},
  });
  for (const name of ['shop', 'karmada-cluster']) await client.create(namespacesPath, namespaceNamed(name));
  await client.create(clustersPath, { metadata: { name: 'm1' }, spec: {} });
  const apiEnablements = servedKinds.map(({ apiVersion, kind }) => ({
    groupVersion: apiVersion,
    resources: [{ kind }],
  }));
  const status = { apiEnablements, conditions: [{ type: 'Ready', status: 'True' }] };
  await client.patch(`${clustersPath}/m1/status`, 'merge', { status });
  await client.create(configMaps('shop'), configMapNamed('web'));
  await client.create(inNamespace(propagationPoliciesPath, 'shop'), {
    metadata: { name: 'p' },
    spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }], placement: {} },
  });
  const leading = new AbortController();
  const warnings: string[] = [];
  const running = runFederation(
    {
      controlPlane: client,
      connections: { client: () => slow },
      served: { current: () => servedKinds, onChange: () => ({ [Symbol.dispose]() {} }) },
      scheduling: { isFederated: () => true, isActive: () => true },
      hooks: { resolveService: () => undefined },
      log: { info() {}, warn: (_fields, text) => void warnings.push(text) },
      isEmbedded: true,
    },
    leading.signal,
  );
  await vi.waitFor(() => expect(isHeld).toBe(true), settled);
  const before = [member.writes.length, warnings.length];
  leading.abort(new Error('this process no longer leads'));
  // Another one may lead before the member answers.
  expect(await within(2_000, running)).toBe('ended');
  held.resolve();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([member.writes.length, warnings.length]).toEqual(before);
});
