import { expect, it } from 'vitest';
import { createFaults, updateFaults } from '../../testing/kind-rules.ts';
import { controllerRevisions } from './kind.ts';

it('WORKLOAD-5: a ControllerRevision holds an object, which stays', async () => {
  expect(await createFaults(controllerRevisions, { revision: -1 })).toEqual([
    'revision: Invalid value: -1: must be greater than or equal to 0',
    'data: Required value: data is mandatory',
  ]);
  expect(
    await updateFaults(controllerRevisions, { data: { a: 1 }, revision: 1 }, { data: { a: 2 }, revision: 2 }),
  ).toEqual(['data: Invalid value: {"a":2}: field is immutable']);
});
