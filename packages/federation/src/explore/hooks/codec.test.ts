import { describe, expect, it } from 'vitest';
import { decodeAnswer, encodeRequest, type HookRequest } from './codec.ts';
import type { Codec, Operation } from './hook-model.ts';
import { UnsuccessfulError } from './interpret-codec.ts';
import { factsOf, hookOf, workload } from './testing/sample-hooks.ts';

const object = workload({ spec: { replicas: 3 } });
const objectText = JSON.stringify(object);
const observed = workload({ spec: { replicas: 3, paused: true } });
const items = [
  { clusterName: 'm1', status: { readyReplicas: 1 }, applied: true, health: 'Healthy' as const },
  { clusterName: 'm2', applied: false, appliedMessage: 'no' },
];

const kindOf = { explore: 'ExploreReview', interpret: 'ResourceInterpreterContext' };
const head = (codec: Codec, operation: string) =>
  `{"kind":"${kindOf[codec]}","apiVersion":"config.karmada.io/v1alpha1","request":{"uid":"u","kind":{"group":"workload.example.io",` +
  `"version":"v1alpha1","kind":"Workload"},"name":"nginx","namespace":"default","operation":"${operation}","object":${objectText}`;

describe('encodeRequest', () => {
  const exploreItems =
    '[{"clusterName":"m1","status":{"readyReplicas":1},"applied":true},{"clusterName":"m2","appliedMessage":"no"}]';
  const interpretItems = exploreItems.replace('"applied":true', '"applied":true,"health":"Healthy"');
  const own = { revising: { replicas: 0 }, retaining: { observed }, aggregating: { items } };

  it.each<[Codec, Operation, string, string]>([
    ['explore', 'replica', 'ExploreReplica', ''],
    ['explore', 'status', 'ExploreStatus', ''],
    ['explore', 'packing', 'ExplorePacking', ''],
    ['explore', 'revising', 'ExploreReplicaRevising', ',"replicas":0'],
    ['explore', 'retaining', 'ExploreRetaining', `,"observedObject":${JSON.stringify(observed)}`],
    ['explore', 'aggregating', 'ExploreStatusAggregating', `,"aggregatedStatus":${exploreItems}`],
    ['explore', 'healthy', 'ExploreHealthy', ''],
    ['explore', 'dependencies', 'ExploreDependencies', ''],
    ['interpret', 'replica', 'InterpretReplica', ''],
    ['interpret', 'status', 'InterpretStatus', ''],
    ['interpret', 'revising', 'ReviseReplica', ',"replicas":0'],
    ['interpret', 'retaining', 'Retain', `,"observedObject":${JSON.stringify(observed)}`],
    ['interpret', 'aggregating', 'AggregateStatus', `,"aggregatedStatus":${interpretItems}`],
    ['interpret', 'healthy', 'InterpretHealth', ''],
    ['interpret', 'dependencies', 'InterpretDependency', ''],
  ])('EXP-2, EXP-3: %s of %s is the JSON of the Go type', (codec, operation, name, more) => {
    const request = {
      operation,
      object,
      ...(operation in own ? own[operation as keyof typeof own] : {}),
    } as HookRequest;
    expect(String(encodeRequest(hookOf({ codec }), 'v1alpha1', 'u', request))).toBe(`${head(codec, name)}${more}}}`);
  });

  it('EXP-2: packing is nothing that Karmada’s review has', () => {
    expect(
      encodeRequest(hookOf({ codec: 'interpret' }), 'v1alpha1', 'u', { operation: 'packing', object }),
    ).toBeUndefined();
  });

  it('no clusters are no aggregatedStatus, and the core group is the empty text', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
    const bytes = encodeRequest(hookOf(), 'v1alpha1', 'u', { operation: 'aggregating', object: pod, items: [] });
    expect(JSON.parse(String(bytes)).request).toEqual({
      uid: 'u',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      name: 'a',
      operation: 'ExploreStatusAggregating',
      object: pod,
    });
  });
});

type Fields = Record<string, unknown>;

function read(codec: Codec, operation: Operation, response: Fields, review: Fields = {}): unknown {
  const success = codec === 'interpret' ? { successful: true } : {};
  const body = {
    kind: kindOf[codec],
    apiVersion: 'config.karmada.io/v1alpha1',
    response: { uid: 'u', ...success, ...response },
    ...review,
  };
  return decodeAnswer(
    hookOf({ codec }),
    { operation, version: 'v1alpha1', uid: 'u' },
    Buffer.from(JSON.stringify(body)),
    factsOf,
  );
}

const patchOf = (value: unknown) => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(value)).toString('base64'),
});
const both = ['explore', 'interpret'] as const;
const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'c' };
const selecting = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' };

describe.each(both)('decodeAnswer of %s', (codec) => {
  const status = codec === 'explore' ? 'status' : 'rawStatus';
  const requirements = {
    nodeClaim: {
      hardNodeAffinity: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }] },
      nodeSelector: { zone: 'a' },
      tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 3 }],
    },
    resourceRequest: { cpu: '250m', memory: '1Gi' },
  };

  it.each<[Operation, Fields, unknown]>([
    ['replica', { replicas: 0 }, { replicas: 0 }],
    ['replica', { replicas: 3, replicaRequirements: null }, { replicas: 3 }],
    ['replica', { replicas: 3, replicaRequirements: requirements }, { replicas: 3, requirements }],
    [
      'replica',
      { replicas: 3, replicaRequirements: { resourceRequest: { cpu: 1 } } },
      { replicas: 3, requirements: { resourceRequest: { cpu: '1' } } },
    ],
    ['status', { [status]: { a: 1 } }, { a: 1 }],
    ['healthy', { healthy: false }, false],
    ['packing', {}, undefined],
    ['revising', { patch: '', patchType: null }, undefined],
    ['retaining', patchOf([{ op: 'remove', path: '/a' }]), { operations: [{ op: 'remove', path: '/a' }] }],
    ['aggregating', patchOf(null), { operations: [] }],
    ['dependencies', { dependencies: [reference] }, [reference]],
    ['dependencies', {}, []],
    [
      'dependencies',
      { dependencies: [{ apiVersion: 'rbac/v1', kind: 'ClusterRole', name: 'c', more: 1 }] },
      [{ apiVersion: 'rbac/v1', kind: 'ClusterRole', name: 'c' }],
    ],
    [
      'dependencies',
      { dependencies: [{ apiVersion: 'x/v1', kind: 'Unknown', name: 'c' }] },
      [{ apiVersion: 'x/v1', kind: 'Unknown', name: 'c' }],
    ],
    ['dependencies', { dependencies: [{ ...reference, labelSelector: {} }] }, [reference]],
  ])('EXP-4: %s reads %j', (operation, response, answer) => {
    expect(read(codec, operation, response)).toEqual(answer);
  });

  const requirement = (more: Fields) => ({ replicas: 1, replicaRequirements: more });
  const claim = (more: Fields) => requirement({ nodeClaim: more });

  it.each<[Operation, Fields, string]>([
    ['replica', {}, 'response.replicas is missing'],
    ['replica', { replicas: '3' }, 'response.replicas is no integer'],
    ['replica', { replicas: 1.5 }, 'response.replicas is no integer'],
    ['replica', { replicas: -1 }, 'response.replicas is out of range'],
    ['replica', { replicas: 2 ** 31 }, 'response.replicas is out of range'],
    [
      'replica',
      requirement({ resourceRequest: { cpu: 'much' } }),
      'replicaRequirements.resourceRequest has an invalid quantity (cpu)',
    ],
    ['replica', requirement({ resourceRequest: { cpu: '-1' } }), 'has an invalid quantity (cpu)'],
    ['replica', requirement({ resourceRequest: { cpu: true } }), 'has an invalid quantity (cpu)'],
    ['replica', requirement({ resourceRequest: [] }), 'replicaRequirements.resourceRequest is no object'],
    ['replica', { replicas: 1, replicaRequirements: 'none' }, 'response.replicaRequirements is no object'],
    ['replica', claim({ nodeSelector: { a: 1 } }), 'nodeClaim.nodeSelector has a value that is no string (a)'],
    ['replica', claim({ hardNodeAffinity: {} }), 'hardNodeAffinity.nodeSelectorTerms is missing'],
    [
      'replica',
      claim({ hardNodeAffinity: { nodeSelectorTerms: [{ matchFields: [{ key: 'a' }] }] } }),
      'nodeSelectorTerms[0].matchFields[0].operator is missing',
    ],
    ['replica', claim({ tolerations: [{ operator: 'Like' }] }), 'tolerations[0].operator is neither'],
    ['replica', claim({ tolerations: ['a'] }), 'tolerations[0] is no object'],
    ['status', {}, `response.${status} is missing`],
    ['status', { [status]: 'ready' }, `response.${status} is no object`],
    ['healthy', {}, 'response.healthy is missing'],
    ['healthy', { healthy: 'yes' }, 'response.healthy is no boolean'],
    ['packing', { patch: 'W10=' }, 'response.patchType is missing'],
    ['retaining', { patchType: 'JSONPatch' }, 'response.patch is missing'],
    ['healthy', { healthy: true, patch: 'W10=' }, 'response.patchType is missing'],
    ['revising', { patch: 'W10=', patchType: 'MergePatch' }, 'response.patchType is not JSONPatch but MergePatch'],
    ['revising', { patch: '[]!', patchType: 'JSONPatch' }, 'response.patch is not base64'],
    ['revising', { patch: 'W10', patchType: 'JSONPatch' }, 'response.patch is not base64'],
    ['revising', { patch: 'bm90', patchType: 'JSONPatch' }, 'response.patch is not JSON'],
    ['dependencies', { dependencies: {} }, 'response.dependencies is no list'],
    ['dependencies', { dependencies: [null] }, 'response.dependencies[0] is no object'],
    ['dependencies', { dependencies: [{ ...reference, apiVersion: '' }] }, 'dependencies[0].apiVersion is missing'],
    ['dependencies', { dependencies: [{ ...reference, kind: undefined }] }, 'dependencies[0].kind is missing'],
    ['dependencies', { dependencies: [reference, selecting] }, 'dependencies[1].name is missing'],
    ['dependencies', { dependencies: [{ ...reference, namespace: '' }] }, 'dependencies[0].namespace is missing'],
    [
      'dependencies',
      { dependencies: [{ ...reference, kind: 'ClusterRole' }] },
      'namespace is given for a kind without namespaces',
    ],
  ])('EXP-4: %s with %j is an error', (operation, response, message) => {
    expect(() => read(codec, operation, response)).toThrow(message);
  });

  it.each<[Fields, string]>([
    [{ response: undefined }, 'response is missing'],
    [{ response: { uid: 'other' } }, 'response.uid is not that of the request'],
    [{ response: {} }, 'response.uid is not that of the request'],
    [{ kind: 'AdmissionReview' }, 'the answer is no'],
    [{ apiVersion: 'config.karmada.io/v2' }, 'the answer is no'],
  ])('EXP-4: a review with %j is an error', (review, message) => {
    expect(() => read(codec, 'packing', {}, review)).toThrow(message);
  });

  it('EXP-4: a review needs no apiVersion and kind', () => {
    expect(read(codec, 'healthy', { healthy: true }, { kind: undefined, apiVersion: '' })).toBe(true);
  });
});

describe('JSON that is nested', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const answer = (inside: string, more = '') =>
    decodeAnswer(
      hookOf(),
      { operation: 'status', version: 'v1alpha1', uid: 'u' },
      Buffer.from(`{"response":{"uid":"u","status":{"a":${inside}}${more}}}`),
      factsOf,
    );

  it('EXP-4: up to a thousand levels, and no more', () => {
    // Three objects are around it.
    expect(Object.keys(answer(nested(997)))).toEqual(['a']);
    expect(() => answer(nested(998))).toThrow('nested too deep');
    expect(() => answer(nested(1_400_000))).toThrow('nested too deep');
  });

  it('EXP-4: brackets side by side and in strings are no levels', () => {
    const text = `${'['.repeat(2_000)}"\\${'{'.repeat(2_000)}`;
    expect(answer(JSON.stringify([text, ...Array.from({ length: 2_000 }, () => [{}])]))).toMatchObject({
      a: expect.arrayContaining([text]),
    });
  });

  it('EXP-4: a patch likewise', () => {
    const patch = Buffer.from(nested(1_001)).toString('base64');
    expect(() => read('explore', 'packing', { patchType: 'JSONPatch', patch })).toThrow('nested too deep');
  });
});

describe('what the codecs do not share', () => {
  const withSelector = (labelSelector: unknown) => ({ dependencies: [{ ...selecting, labelSelector }] });
  const selector = { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'In', values: ['d'] }] };

  it('EXP-2: a dependency by labelSelector', () => {
    expect(read('interpret', 'dependencies', withSelector(selector))).toEqual([
      { ...selecting, labelSelector: selector },
    ]);
    expect(() => read('explore', 'dependencies', withSelector(selector))).toThrow('dependencies[0].name is missing');
  });

  it.each<[Fields, string]>([
    [{ matchLabels: { '-a': 'b' } }, 'matchLabels is no key of a label'],
    [{ matchLabels: { a: 'b c' } }, 'matchLabels has no value of a label'],
    [{ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] }, 'matchExpressions[0].operator is unknown'],
    [{ matchExpressions: [{ key: 'a', operator: 'In' }] }, 'matchExpressions[0].values are missing'],
    [{ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] }, 'values are given for an operator'],
  ])('EXP-2: the selector %j is an error', (labelSelector, message) => {
    expect(() => read('interpret', 'dependencies', withSelector(labelSelector))).toThrow(message);
  });

  it('EXP-2: successful is required, and false needs a status, which is for users', () => {
    const failed = { successful: false, status: { code: 422, message: 'no\n\u0000good' }, healthy: true };
    expect(() => read('interpret', 'healthy', failed)).toThrow(new UnsuccessfulError('it reports code 422: no good'));
    expect(() => read('interpret', 'healthy', { successful: false })).toThrow('response.status is missing');
    expect(() => read('interpret', 'healthy', { successful: undefined, healthy: true })).toThrow(
      'response.status is missing',
    );
    expect(read('explore', 'healthy', { successful: false, healthy: true })).toBe(true);
    const long = { successful: false, status: { message: 'x'.repeat(100_000) } };
    expect(() => read('interpret', 'healthy', long)).toThrow(/^it reports code 0: x{256}…$/);
  });

  it('EXP-1, EXP-2: only Karmada’s requirements have a namespace and a priority class', () => {
    const replicaRequirements = { namespace: 'a', priorityClassName: 'b' };
    expect(read('interpret', 'replica', { replicas: 1, replicaRequirements })).toEqual({
      replicas: 1,
      requirements: replicaRequirements,
    });
    expect(read('explore', 'replica', { replicas: 1, replicaRequirements })).toEqual({ replicas: 1, requirements: {} });
  });
});
