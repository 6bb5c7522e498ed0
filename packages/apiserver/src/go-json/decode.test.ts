import type { JsonObject } from '@fleet/kube/json-value.ts';
import { kindType } from '@fleet/kube/protobuf/schema.ts';
import { describe, expect, it } from 'vitest';
import { decodeAsGo } from './decode.ts';
import { zeroObject } from './zero-value.ts';

const decode = (apiVersion: string, kind: string, json: JsonObject) => decodeAsGo(kindType(apiVersion, kind)!, json);
const pod = (spec: JsonObject) => decode('v1', 'Pod', { spec });
const container = (fields: JsonObject) => pod({ containers: [{ name: 'a', ...fields }] });

describe('what Go decodes', () => {
  it('has its fields in the order of the struct, those that are always written, and no nulls', () => {
    const { object } = decode('rbac.authorization.k8s.io/v1', 'RoleBinding', {
      subjects: [{ name: 'b', kind: 'User', namespace: '' }],
      metadata: { labels: null, name: 'a' },
    });
    expect(JSON.stringify(object)).toBe(
      '{"metadata":{"name":"a"},"subjects":[{"kind":"User","name":"b"}],"roleRef":{"apiGroup":"","kind":"","name":""}}',
    );
  });

  it('knows fields of structs that stand beside those of others', () => {
    const { object, unknown } = pod({ containers: null, volumes: [{ name: 'v', configMap: { name: 'm', x: 1 } }] });
    expect(object).toMatchObject({ spec: { containers: null, volumes: [{ name: 'v', configMap: { name: 'm' } }] } });
    expect(unknown).toEqual(['spec.volumes[0].configMap.x']);
  });

  it('reports unknown fields by their paths', () => {
    const json = { a: 1, metadata: { b: 1, labels: { c: 'd' } }, data: { e: 'f' } };
    expect(decode('v1', 'ConfigMap', json).unknown).toEqual(['a', 'metadata.b']);
    expect(container({ env: [{ name: 'x', Value: 'y' }] }).unknown).toEqual(['spec.containers[0].env[0].Value']);
  });

  it('writes quantities, times and bytes as Kubernetes does', () => {
    const limits = { cpu: 0.5, memory: '1024Ki' };
    expect(container({ resources: { limits } }).object).toMatchObject({
      spec: { containers: [{ resources: { limits: { cpu: '500m', memory: '1Mi' } } }] },
    });
    expect(
      decode('coordination.k8s.io/v1', 'Lease', { spec: { renewTime: '2020-01-02T03:04:05.678901+01:00' } }).object,
    ).toMatchObject({ spec: { renewTime: '2020-01-02T02:04:05.678901Z' } });
    expect(decode('v1', 'Secret', { data: { a: 'AA\nEC', b: null } }).object['data']).toEqual({ a: 'AAEC', b: null });
  });

  it('keeps 64-bit integers', () => {
    expect(decode('v1', 'Pod', { spec: { terminationGracePeriodSeconds: 9007199254740993n } }).object).toMatchObject({
      spec: { terminationGracePeriodSeconds: 9007199254740993n },
    });
  });
});

it('what Go makes of nothing', () => {
  expect(zeroObject(kindType('apps/v1', 'Deployment')!)).toEqual({
    metadata: {},
    spec: { selector: null, strategy: {}, template: { metadata: {}, spec: { containers: null } } },
    status: {},
  });
});

describe('what it refuses', () => {
  it.each<[JsonObject, string]>([
    [
      { imagePullPolicy: 5 },
      'json: cannot unmarshal number into Go struct field Container.spec.containers.imagePullPolicy of type v1.PullPolicy',
    ],
    [
      { ports: [{ containerPort: 1.5 }] },
      'json: cannot unmarshal number 1.5 into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32',
    ],
    [
      { resources: { limits: [] } },
      'json: cannot unmarshal array into Go struct field ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList',
    ],
    [{ resources: { limits: { cpu: 'x' } } }, /^quantities must match the regular expression/ as unknown as string],
    [
      { livenessProbe: { httpGet: { port: true } } },
      'json: cannot unmarshal bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32',
    ],
  ])('%j', (fields, why) => expect(() => container(fields)).toThrow(why));

  it('is the first fault, unless a type that reads itself finds one', () => {
    const first = { imagePullPolicy: 5, command: 'x' };
    expect(() => container(first)).toThrow('imagePullPolicy');
    expect(() => container({ ...first, resources: { limits: { cpu: 'x' } } })).toThrow('quantities');
  });

  it('bytes that are none', () => {
    expect(() => decode('v1', 'Secret', { data: { a: 'a/b/c' } })).toThrow('illegal base64 data at input byte 4');
  });
});
