import { expect, it, vi } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import { inNamespace, namespacesPath, worksPath } from '../api/paths.ts';
import type { Work } from '../api/works.ts';
import type { MemberObjects } from '../members/member-objects.ts';
import { namespaceNamed } from '../testing/fake-federation.ts';
import { fakePipeline } from '../testing/fake-pipeline.ts';
import { reflectStatus } from './reflect-controller.ts';

const settled = { timeout: 15_000, interval: 25 };
const works = inNamespace(worksPath, 'karmada-es-m1');

it('FED-12, FED-13: a status that is reflected is looked at and reported once', async () => {
  await using made = await fakePipeline();
  const { client } = made.fake;
  await client.create(namespacesPath, namespaceNamed('karmada-es-m1'));
  const observed: AnyObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'a',
      namespace: 'shop',
      generation: 1,
      annotations: { 'resourcetemplate.karmada.io/generation': '1' },
    },
    spec: { replicas: 1 },
    status: { replicas: 1 },
  };
  const objects = { get: () => observed } as unknown as MemberObjects;
  await using _reflect = reflectStatus({ ...made.pipeline, objects }, { compare() {} });
  const work = (name: string) =>
    client.create<Work>(works, {
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'Work',
      metadata: { name },
      spec: { workload: { manifests: [observed] } },
    });
  await work('first');
  const isReflected = (name: string) => () => expect(made.events).toContain(`Work ${name}: ReflectStatusSucceed`);
  await vi.waitFor(isReflected('first'), settled);
  const condition = { type: 'Applied', status: 'True', reason: '', message: '', lastTransitionTime: '' };
  await client.patch(`${works}/first/status`, 'merge', { status: { conditions: [condition] } });
  // What comes before it has been looked at then.
  await work('second');
  await vi.waitFor(isReflected('second'), settled);
  const ofFirst = made.events.filter((event) => event.startsWith('Work first: '));
  expect(ofFirst).toEqual(['Work first: InterpretHealthSucceed', 'Work first: ReflectStatusSucceed']);
});
