import { describe, expect, it } from 'vitest';
import { openServer } from '../../testing/open-server.ts';

const path = (version: string, name = '') =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers${name && `/${name}`}`;

const scaleTargetRef = { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' };
const processor = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

describe('COMPAT-4: HorizontalPodAutoscalers in both versions', () => {
  it('one of the older version is one of the newer, with the default that it has there', async () => {
    const { ask } = await openServer();
    const spec = { scaleTargetRef, maxReplicas: 4 };
    const made = await ask('POST', path('v1'), { metadata: { name: 'a' }, spec });
    expect(made.body).toMatchObject({
      apiVersion: 'autoscaling/v1',
      spec: { ...spec, targetCPUUtilizationPercentage: 80 },
    });
    expect((await ask('GET', path('v2', 'a'))).body).toMatchObject({
      apiVersion: 'autoscaling/v2',
      spec: { ...spec, metrics: [processor(80)] },
    });
  });

  it('what the older version has no fields for comes back from its annotations', async () => {
    const { ask } = await openServer();
    const metrics = [
      { type: 'Pods', pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '5' } } },
      processor(50),
    ];
    const behavior = { scaleDown: { stabilizationWindowSeconds: 60, selectPolicy: 'Max' } };
    await ask('POST', path('v2'), {
      metadata: { name: 'a', annotations: { mine: 'yes' } },
      spec: { scaleTargetRef, maxReplicas: 4, metrics, behavior },
    });
    const { body } = await ask('GET', path('v1', 'a'));
    expect(body).toMatchObject({ spec: { targetCPUUtilizationPercentage: 50 } });
    expect(body['spec']).not.toHaveProperty('metrics');
    expect(body.metadata!['annotations']).toEqual({
      mine: 'yes',
      'autoscaling.alpha.kubernetes.io/metrics':
        '[{"type":"Pods","pods":{"metricName":"hits","targetAverageValue":"5"}}]',
      'autoscaling.alpha.kubernetes.io/behavior':
        '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15},{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null},"ScaleDown":{"StabilizationWindowSeconds":60,"SelectPolicy":"Max","Policies":[{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null}}',
    });
    const changed = { ...body, spec: { ...(body['spec'] as object), targetCPUUtilizationPercentage: 70 } };
    expect((await ask('PUT', path('v1', 'a'), changed)).status).toBe(200);
    const newer = (await ask('GET', path('v2', 'a'))).body;
    expect(newer).toMatchObject({ spec: { behavior, metrics: [metrics[0], processor(70)] } });
    expect(newer.metadata!['annotations']).toEqual({ mine: 'yes' });
  });

  it('both are in discovery, the newer preferred', async () => {
    const { ask } = await openServer();
    const { body } = await ask('GET', '/apis/autoscaling');
    expect(body).toMatchObject({
      versions: [{ version: 'v2' }, { version: 'v1' }],
      preferredVersion: { version: 'v2' },
    });
  });
});
