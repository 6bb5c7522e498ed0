import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { clustersPath, inNamespace, namespacesPath, worksPath } from '../api/paths.ts';
import type { Work } from '../api/works.ts';
import { MemberObjects } from '../members/member-objects.ts';
import { worksOf } from '../pipeline.ts';
import { fakeControlPlane } from '../testing/fake-control-plane.ts';
import { configMapNamed, namespaceNamed } from '../testing/fake-federation.ts';
import { fakePipeline, servedKinds } from '../testing/fake-pipeline.ts';
import { managedSelector } from '../work/marks.ts';
import { executionFinalizer } from '../work/work-of.ts';
import { ApplyController } from './apply-controller.ts';

it('FED-8: compares nothing any more once it has ended, though members are still watched then', async () => {
  await using fake = await fakePipeline();
  const { client } = fake.fake;
  await client.create(namespacesPath, namespaceNamed('karmada-es-m1'));
  await client.create(clustersPath, { metadata: { name: 'm1' } });
  const work = await client.create<Work>(inNamespace(worksPath, 'karmada-es-m1'), {
    metadata: { name: 'web', finalizers: [executionFinalizer] },
    spec: { workload: { manifests: [{ ...configMapNamed('web', { namespace: 'shop' }) }] } },
  });
  await worksOf(fake.pipeline).until(
    () => worksOf(fake.pipeline).get('karmada-es-m1/web') !== undefined,
    AbortSignal.timeout(5_000),
  );
  const apply = new ApplyController(fake.pipeline);
  await apply[Symbol.asyncDispose]();
  const before = fake.failures.length;
  apply.compare(work);
  for (let turns = 0; turns < 50; turns++) await turn();
  expect(fake.failures.slice(before)).toEqual([]);
});

it('FED-8: members are followed no more from the end on', async () => {
  const { client } = fakeControlPlane();
  const objects = new MemberObjects({
    connections: { client: () => client },
    selector: managedSelector,
    onChange() {},
    onError() {},
  });
  const [, configMaps] = servedKinds;
  expect(objects.copy('m1', configMaps!)).toBeDefined();
  await objects[Symbol.asyncDispose]();
  expect(objects.copy('m1', configMaps!)).toBeUndefined();
});
