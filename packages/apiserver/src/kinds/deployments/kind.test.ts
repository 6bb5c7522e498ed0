import { describe, expect, it } from 'vitest';
import { createFaults, decoded, updateFaults } from '../../testing/kind-rules.ts';
import { openServer } from '../../testing/open-server.ts';
import { deployments } from './kind.ts';

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const spec = { selector: { matchLabels: { a: 'b' } }, template };

describe('WORKLOAD-1: a Deployment', () => {
  it('has Kubernetes’ defaults', () => {
    expect(decoded(deployments, { spec })['spec']).toMatchObject({
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      template: { spec: { restartPolicy: 'Always', dnsPolicy: 'ClusterFirst' } },
    });
    expect(decoded(deployments, { spec: { ...spec, strategy: { type: 'Recreate' } } })['spec']).toMatchObject({
      strategy: { type: 'Recreate' },
    });
  });

  it.each([
    [{ replicas: -1 }, 'spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
    [
      { selector: { matchLabels: { a: 'c' } } },
      'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`',
    ],
    [{ selector: {} }, 'spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
    [
      { strategy: { type: 'Odd' } },
      'spec.strategy: Unsupported value: {"Type":"Odd","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
    ],
    [
      { strategy: { type: 'Recreate', rollingUpdate: {} } },
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    ],
    [
      { strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: '0%' } } },
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
    ],
    [
      { progressDeadlineSeconds: 5, minReadySeconds: 5 },
      'spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds',
    ],
    [
      { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
  ])('%o is refused', async (change, fault) => {
    expect(await createFaults(deployments, { spec: { ...spec, ...change } })).toEqual([fault]);
  });

  it('without a selector matches nothing', async () => {
    expect(await createFaults(deployments, { spec: { template } })).toEqual([
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`',
    ]);
  });

  it('keeps its selector', async () => {
    const other = {
      selector: { matchLabels: { x: 'y' } },
      template: { ...template, metadata: { labels: { x: 'y' } } },
    };
    expect(await updateFaults(deployments, { spec }, { spec: other })).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"x":"y"}}: field is immutable',
    ]);
  });

  it('reports no more pods than there are, whatever its spec', async () => {
    const status = { replicas: 1, readyReplicas: 2, availableReplicas: 1 };
    expect(await updateFaults(deployments, { spec }, { spec: {}, status }, 'status')).toEqual([
      'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
    ]);
  });

  it('a change of its annotations increments the generation, and its labels are not changed through the status', async () => {
    const { ask } = await openServer();
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const made = (await ask('POST', path, { metadata: { name: 'a', labels: { l: '1' } }, spec })).body;
    const merge = { 'content-type': 'application/merge-patch+json' };
    const annotated = await ask('PATCH', `${path}/a`, { metadata: { annotations: { x: 'y' } } }, merge);
    expect(annotated.body.metadata).toMatchObject({ generation: 2 });
    const labelled = await ask('PATCH', `${path}/a/status`, { metadata: { labels: { l: '2' } } }, merge);
    expect(labelled.body.metadata).toMatchObject({ generation: 2, labels: { l: '1' } });
    expect(made['spec']).toMatchObject({ replicas: 1 });
  });
});
