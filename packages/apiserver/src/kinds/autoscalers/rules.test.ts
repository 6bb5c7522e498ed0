import { describe, expect, it } from 'vitest';
import { createFaults, decoded } from '../../testing/kind-rules.ts';
import { newAutoscalers, oldAutoscalers } from './kind.ts';

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const spec = { scaleTargetRef, maxReplicas: 3 };

describe('WORKLOAD-9: a HorizontalPodAutoscaler', () => {
  it('looks at the processors by default', () => {
    expect(
      decoded(newAutoscalers, { spec: { ...spec, behavior: { scaleUp: { selectPolicy: 'Min' } } } })['spec'],
    ).toMatchObject({
      minReplicas: 1,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
      ],
      behavior: {
        scaleUp: {
          stabilizationWindowSeconds: 0,
          selectPolicy: 'Min',
          policies: [{ type: 'Pods' }, { type: 'Percent' }],
        },
        scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
      },
    });
  });

  const unknownType =
    'spec.metrics[0].type: Unsupported value: "constructor": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"';
  const resource = (target: object) => ({ metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }] });

  it.each([
    [
      { maxReplicas: 0 },
      [
        'spec.maxReplicas: Required value: must be set and greater than 0',
        'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
      ],
    ],
    [{ minReplicas: 5 }, ['spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`']],
    [
      { scaleTargetRef: { ...scaleTargetRef, apiVersion: 'v1' } },
      ['spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group'],
    ],
    [{ scaleTargetRef: { ...scaleTargetRef, name: '' } }, ['spec.scaleTargetRef.name: Required value']],
    [
      resource({ type: 'Utilization' }),
      [
        'spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
      ],
    ],
    [
      resource({ type: 'Utilization', averageUtilization: 0 }),
      ['spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0'],
    ],
    [
      { metrics: [{ type: 'Pods' }] },
      ['spec.metrics[0].pods: Required value: must populate information for the given metric source'],
    ],
    [{ metrics: [{ type: 'constructor' }] }, [unknownType, unknownType]],
    [
      { behavior: { scaleDown: { stabilizationWindowSeconds: 3601 } } },
      ['spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600'],
    ],
  ])('%o is refused', async (change, faults) => {
    expect(await createFaults(newAutoscalers, { spec: { ...spec, ...change } })).toEqual(faults);
  });

  it('of the older version is refused with the fields of the newer', async () => {
    expect(await createFaults(oldAutoscalers, { spec: { ...spec, targetCPUUtilizationPercentage: 0 } })).toEqual([
      'spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0',
    ]);
  });
});
