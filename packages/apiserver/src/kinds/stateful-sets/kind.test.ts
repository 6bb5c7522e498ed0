import { describe, expect, it } from 'vitest';
import { createFaults, decoded, updateFaults } from '../../testing/kind-rules.ts';
import { statefulSets } from './kind.ts';

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const spec = { selector: { matchLabels: { a: 'b' } }, template, serviceName: 's' };

describe('WORKLOAD-3: a StatefulSet', () => {
  it('has Kubernetes’ defaults, also of its claims', () => {
    const storage = { requests: { storage: '1Gi' } };
    const volumeClaimTemplates = [
      { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: storage } },
    ];
    expect(decoded(statefulSets, { spec: { ...spec, volumeClaimTemplates } })['spec']).toMatchObject({
      replicas: 1,
      revisionHistoryLimit: 10,
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          spec: { volumeMode: 'Filesystem' },
          status: { phase: 'Pending' },
        },
      ],
    });
  });

  it.each([
    [
      { podManagementPolicy: 'Odd' },
      `spec.podManagementPolicy: Invalid value: "Odd": must be 'OrderedReady' or 'Parallel'`,
    ],
    [
      { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
      `spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`,
    ],
    [
      { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Odd' } },
      'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Odd": supported values: "Retain", "Delete"',
    ],
    [{ ordinals: { start: -1 } }, 'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0'],
    [{ serviceName: 'a.b' }, 'spec.serviceName: Invalid value: "a.b": must not contain dots'],
  ])('%o is refused', async (change, fault) => {
    expect(await createFaults(statefulSets, { spec: { ...spec, ...change } })).toEqual([fault]);
  });

  it('changes in few fields only', async () => {
    expect(await updateFaults(statefulSets, { spec }, { spec: { ...spec, replicas: 3 } })).toEqual([]);
    const [fault] = await updateFaults(statefulSets, { spec }, { spec: { ...spec, serviceName: 'other' } });
    expect(fault).toMatch(/^spec: Forbidden: updates to statefulset spec for fields other than 'replicas'/);
  });
});
