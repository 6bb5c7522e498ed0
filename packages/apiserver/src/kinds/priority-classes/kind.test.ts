import { expect, it } from 'vitest';
import { createFaults, decoded, updateFaults } from '../../testing/kind-rules.ts';
import { openServer } from '../../testing/open-server.ts';
import { priorityClasses } from './kind.ts';

it('POLICY-2: a PriorityClass preempts by default, and keeps its value', async () => {
  expect(decoded(priorityClasses, { value: 1 })).toMatchObject({ preemptionPolicy: 'PreemptLowerPriority' });
  expect(await updateFaults(priorityClasses, { value: 1 }, { value: 2, preemptionPolicy: 'Never' })).toEqual([
    'value: Forbidden: may not be changed in an update.',
    'preemptionPolicy: Invalid value: "Never": field is immutable',
  ]);
});

it('POLICY-2: high values and names are the system’s', async () => {
  expect(await createFaults(priorityClasses, { value: 1_000_000_001 })).toEqual([
    'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
  ]);
  expect(await createFaults(priorityClasses, { metadata: { name: 'system-mine' }, value: 1 })).toEqual([
    "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class",
  ]);
});

it('POLICY-2: its changes are not counted', async () => {
  const { ask } = await openServer();
  const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
  await ask('POST', path, { metadata: { name: 'a' }, value: 1 });
  const changed = await ask('PUT', `${path}/a`, { metadata: { name: 'a' }, value: 1, description: 'other' });
  expect(changed.body.metadata).toMatchObject({ generation: 1 });
});
