import { describe, expect, test } from 'vitest';
import { deploymentRules } from './deployment.ts';
import { objectOf, reports } from './testing.ts';

const { replicas, revise, pack, retain, reflect, aggregate, health, dependencies } = deploymentRules as Required<
  typeof deploymentRules
>;

const deployment = (fields: object = {}, metadata: object = {}) => objectOf('apps/v1', 'Deployment', fields, metadata);

const generation = (value: string) => ({ annotations: { 'resourcetemplate.karmada.io/generation': value } });

describe('replicas', () => {
  test('FED-5: a template without replicas has 1', () => {
    expect(replicas(deployment({ spec: {} }))).toEqual({ replicas: 1 });
  });

  test('FED-5: 0 replicas are 0', () => {
    expect(replicas(deployment({ spec: { replicas: 0 } }))).toEqual({ replicas: 0 });
  });

  test('FED-12: with what one replica needs', () => {
    const template = { spec: { nodeSelector: { foo: 'foo1' } } };
    expect(replicas(deployment({ spec: { replicas: 2, template } }))).toEqual({
      replicas: 2,
      requirements: { nodeClaim: { nodeSelector: { foo: 'foo1' } }, namespace: 'default' },
    });
  });

  test('FED-12: revised', () => {
    const template = deployment({ spec: { replicas: 1, paused: true } });
    expect(revise(template, 3)).toEqual(deployment({ spec: { replicas: 3, paused: true } }));
  });
});

test('FED-18: the revision and its history are left out', () => {
  const annotations = {
    'deployment.kubernetes.io/revision': '1',
    'deployment.kubernetes.io/revision-history': '1,2',
    foo: 'x',
  };
  expect(pack(deployment({}, { annotations })).metadata.annotations).toEqual({ foo: 'x' });
});

describe('retaining', () => {
  const observed = deployment({ spec: { replicas: 4 } });
  const desired = (value?: string) =>
    deployment(
      { spec: { replicas: 2 } },
      value ? { labels: { 'resourcetemplate.karmada.io/retain-replicas': value } } : {},
    );

  test.each([
    ['true', 4],
    ['false', 2],
    [undefined, 2],
  ])('FED-12: labelled retain-replicas=%s has %i replicas', (value, expected) => {
    expect(retain(desired(value), observed)['spec']).toEqual({ replicas: expected });
  });

  test('FED-12: replicas that cannot be retained are an error', () => {
    expect(() => retain(desired('true'), deployment({ spec: {} }))).toThrow('has no replicas to be retained');
  });
});

describe('status in the Work', () => {
  const status = {
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 2,
    availableReplicas: 2,
    unavailableReplicas: 1,
    observedGeneration: 2,
  };

  test('FED-12: counters with both generations beside them, and nothing else', () => {
    const observed = deployment(
      { status: { ...status, conditions: [{}], collisionCount: 1 } },
      { generation: 2, ...generation('1') },
    );
    expect(reflect(observed)).toEqual({ ...status, generation: 2, resourceTemplateGeneration: 1 });
  });

  test('FED-12: nothing before the controller has written a status', () => {
    expect(reflect(deployment({}, { generation: 2, ...generation('1') }))).toBeUndefined();
    expect(reflect(deployment({ status: {} }, generation('0')))).toBeUndefined();
  });

  test('FED-12: zeros are left out, as Kubernetes does', () => {
    const observed = deployment(
      { status: { ...status, unavailableReplicas: 0 } },
      { generation: 2, ...generation('1') },
    );
    expect(reflect(observed)).not.toHaveProperty('unavailableReplicas');
  });

  test.each(['invalid', '', undefined, '1.5'])('FED-12: the template’s generation "%s" is an error', (value) => {
    const metadata = value === undefined ? {} : generation(value);
    expect(() => reflect(deployment({ status }, metadata))).toThrow('resourcetemplate.karmada.io/generation');
  });
});

describe('aggregation', () => {
  const member = { replicas: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1, unavailableReplicas: 0 };
  const sum = { replicas: 2, readyReplicas: 2, updatedReplicas: 2, availableReplicas: 2 };

  test('FED-12: counters are summed', () => {
    expect(aggregate(deployment(), reports(member, member))['status']).toEqual(sum);
  });

  test('FED-12: the same sums are the same object', () => {
    const template = deployment({ status: { ...sum, unavailableReplicas: 0 } });
    expect(aggregate(template, reports(member, member))).toBe(template);
  });

  test('FED-12: other fields of the status stay, counters that are 0 now go', () => {
    const template = deployment({ status: { ...sum, unavailableReplicas: 3, conditions: [{ type: 'Available' }] } });
    expect(aggregate(template, reports(member, member))['status']).toEqual({
      ...sum,
      conditions: [{ type: 'Available' }],
    });
  });

  const seen = { ...member, generation: 7, observedGeneration: 7, resourceTemplateGeneration: 3 };

  test.each([
    ['every cluster has seen it', [seen, seen], 3],
    ['a cluster has a newer template', [seen, { ...seen, resourceTemplateGeneration: 4 }], 3],
    ['one has an older template', [seen, { ...seen, resourceTemplateGeneration: 2 }], 1],
    ['the controller of one is behind', [seen, { ...seen, observedGeneration: 6 }], 1],
    ['one has not reported', [seen, undefined], 1],
    ['there is no cluster', [], 3],
  ])('FED-12: the generation is observed where %s', (_case, statuses, expected) => {
    const template = deployment({ status: { observedGeneration: 1 } }, { generation: 3 });
    expect(aggregate(template, reports(...statuses))['status']).toMatchObject({ observedGeneration: expected });
  });
});

test.each([
  ['rolled out', { observedGeneration: 1, updatedReplicas: 3, availableReplicas: 3 }, 'Healthy'],
  ['an older generation', { observedGeneration: 0, updatedReplicas: 3, availableReplicas: 3 }, 'Unhealthy'],
  ['a newer generation', { observedGeneration: 2, updatedReplicas: 3, availableReplicas: 3 }, 'Unhealthy'],
  ['not all updated', { observedGeneration: 1, updatedReplicas: 2, availableReplicas: 2 }, 'Unhealthy'],
  ['not all available', { observedGeneration: 1, updatedReplicas: 3, availableReplicas: 2 }, 'Unhealthy'],
  ['old pods beside', { observedGeneration: 1, updatedReplicas: 3, availableReplicas: 4 }, 'Healthy'],
])('FED-12: health of a Deployment, %s', (_case, status, expected) => {
  expect(health(deployment({ spec: { replicas: 3 }, status }, { generation: 1 }))).toBe(expected);
});

test('FED-11: dependencies are those of its pods', () => {
  const template = { spec: { serviceAccountName: 'sa' } };
  expect(dependencies(deployment({ spec: { template } }))).toEqual([
    { apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'default', name: 'sa' },
  ]);
});
