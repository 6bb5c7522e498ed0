import { expect, it } from 'vitest';
import { createFaults, decoded, updateFaults } from '../../testing/kind-rules.ts';
import { storageClasses } from './kind.ts';

const provisioner = 'acme.io/disk';

it('STORAGE-1: a StorageClass deletes volumes and binds at once by default', () => {
  expect(decoded(storageClasses, { provisioner })).toMatchObject({
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
  });
});

it.each([
  [{ provisioner: '' }, 'provisioner: Required value'],
  [{ reclaimPolicy: 'Recycle' }, 'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
  [
    { volumeBindingMode: 'Odd' },
    'volumeBindingMode: Unsupported value: "Odd": supported values: "Immediate", "WaitForFirstConsumer"',
  ],
  [
    { allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone' }] }] },
    'allowedTopologies[0].matchLabelExpressions[0].values: Required value',
  ],
])('STORAGE-1: %o is refused', async (change, fault) => {
  expect(await createFaults(storageClasses, { provisioner, ...change })).toEqual([fault]);
});

it('STORAGE-1: old names of labels are warned of, and no others', () => {
  const matchLabelExpressions = ['constructor', 'app.kubernetes.io/created-by'].map((key) => ({ key, values: ['a'] }));
  const object = decoded(storageClasses, { provisioner, allowedTopologies: [{ matchLabelExpressions }] });
  expect(storageClasses.strategy.warnings?.(object, undefined)).toEqual([
    'allowedTopologies[0].matchLabelExpressions[1].key: deprecated since v1.9',
  ]);
});

it('STORAGE-1: it stays as it is, but for what may grow', async () => {
  const old = { provisioner, parameters: { a: 'b' } };
  const other = { provisioner, parameters: { c: 'd', a: 'b' }, allowVolumeExpansion: true, reclaimPolicy: 'Retain' };
  expect(await updateFaults(storageClasses, old, other)).toEqual([
    'parameters: Invalid value: {"a":"b","c":"d"}: field is immutable',
    'reclaimPolicy: Invalid value: "Retain": field is immutable',
  ]);
});
