import { expect, it } from 'vitest';
import type { JsonObject } from '../json-value.ts';
import { parseJson } from '../json-value.ts';
import { body, message, number, text } from './body.fixture.ts';
import { protobufOfJson } from './encode.ts';
import { jsonOfProtobuf } from './json-of-protobuf.ts';

const again = (object: JsonObject) => parseJson(jsonOfProtobuf(protobufOfJson(object)!).toString());

it('writes what Go writes, empty texts too', () => {
  const lease = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'a' },
    spec: { leaseTransitions: 0 },
  };
  const metadata = [text(1, 'a'), ...[2, 3, 4, 5, 6].map((field) => text(field, '')), number(7, 0), message(8)];
  expect(protobufOfJson(lease)!.toString('hex')).toBe(
    body('coordination.k8s.io/v1', 'Lease', message(1, ...metadata), message(2, number(5, 0))).toString('hex'),
  );
});

it.each<JsonObject>([
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { b: 'c', '10': 'd' } }, data: { x: 'ż' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { creationTimestamp: '2020-01-02T03:04:05Z' }, data: { x: 'AAEC' } },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { generation: 9007199254740993n },
    spec: {
      volumes: [{ name: 'v', configMap: { name: 'm', optional: false } }],
      containers: [
        { name: 'a', resources: { limits: { cpu: '500m' } }, livenessProbe: { tcpSocket: { port: 'web' } } },
        { name: 'b', resources: {}, livenessProbe: { tcpSocket: { port: -1 } } },
      ],
    },
    status: {},
  },
  {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { managedFields: [{ manager: 'm', fieldsV1: { 'f:spec': {} } }] },
    spec: { renewTime: '2020-01-02T03:04:05.678901Z' },
  },
  { apiVersion: 'v1', kind: 'ConfigMapList', metadata: { resourceVersion: '5' }, items: [{ metadata: { name: 'a' } }] },
])('LIST-9: $kind can be read again', (object) => expect(again(object)).toEqual(object));

it('has no form for unknown kinds', () => {
  expect(protobufOfJson({ apiVersion: 'example.com/v1', kind: 'Widget' })).toBeUndefined();
});
