/** The kinds that patches are tried on, and the CRD of one of them. */

import type { JsonObject } from '@fleet/kube/json-value.ts';
import { listBy, listOf, map, object, oneOf, type Shape, setOf } from './shape.ts';

export interface TriedKind {
  apiVersion: string;
  kind: string;
  /** Up to the namespace. */
  root: string;
  resource: string;
  shape: Shape;
  /** Custom resources have no strategic merge. */
  isCustom?: boolean;
  /** Fields that a write of the object itself does not set. */
  resets?: string[];
  /**
   * Fields of the spec that the kind's own rules change after it was written down who manages what: filled in from the old
   * object or by allocation, or cleared as they make no sense any more.
   */
  ruled?: { filled: string[]; cleared: string[] };
}

const small = oneOf('1', '2', '3');
const letters = ['a', 'b', 'c', 'd'] as const;

const metadata = object({
  labels: map(letters, small),
  annotations: map(letters, oneOf('1', 'x<y>&z', '\u2028')),
  finalizers: setOf(oneOf('example.com/a', 'example.com/b', 'example.com/c')),
});

const configMap: TriedKind = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  root: '/api/v1',
  resource: 'configmaps',
  shape: object(
    { metadata, data: map(letters, small), binaryData: map(['e', 'f'], oneOf('AA==', 'AQ==')) },
    'metadata',
  ),
};

const protocol = oneOf('TCP', 'UDP');

const service: TriedKind = {
  apiVersion: 'v1',
  kind: 'Service',
  root: '/api/v1',
  resource: 'services',
  resets: ['status'],
  ruled: {
    filled: ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'],
    cleared: ['externalTrafficPolicy'],
  },
  shape: object(
    {
      metadata,
      spec: object(
        {
          clusterIP: oneOf('None'),
          selector: map(letters, small),
          sessionAffinity: oneOf('None', 'ClientIP'),
          publishNotReadyAddresses: oneOf(true, false),
          externalIPs: listOf(oneOf('192.0.2.1', '192.0.2.2')),
          ports: listBy(
            ['port', 'protocol'],
            object(
              { name: oneOf('p1', 'p2', 'p3'), port: oneOf(80, 81, 82), protocol, targetPort: oneOf(80, 'http') },
              'name',
              'port',
            ),
          ),
        },
        'clusterIP',
      ),
    },
    'metadata',
    'spec',
  ),
};

const container = object(
  {
    name: oneOf('c1', 'c2', 'c3'),
    image: oneOf('i1', 'i2'),
    args: listOf(small),
    env: listBy(['name'], object({ name: oneOf('E1', 'E2', 'E3'), value: small }, 'name')),
    ports: listBy(['containerPort', 'protocol'], object({ containerPort: oneOf(80, 81), protocol }, 'containerPort')),
    resources: object({ requests: map(['cpu', 'memory'], oneOf('1', '1000m', 2)) }),
    volumeMounts: listBy(
      ['mountPath'],
      object({ name: oneOf('v1', 'v2'), mountPath: oneOf('/m1', '/m2'), readOnly: oneOf(true) }, 'name', 'mountPath'),
    ),
  },
  'name',
  'image',
);

const deployment: TriedKind = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  root: '/apis/apps/v1',
  resource: 'deployments',
  resets: ['status'],
  shape: object(
    {
      metadata,
      spec: object(
        {
          replicas: oneOf(0),
          paused: oneOf(true),
          minReadySeconds: oneOf(0, 1),
          selector: oneOf({ matchLabels: { app: 'a' } }),
          strategy: object({ type: oneOf('Recreate', 'RollingUpdate') }),
          template: object(
            {
              metadata: oneOf({ labels: { app: 'a' } }),
              spec: object(
                {
                  containers: listBy(['name'], container),
                  volumes: listBy(
                    ['name'],
                    object({ name: oneOf('v1', 'v2'), emptyDir: oneOf({}), configMap: oneOf({ name: 'x' }) }, 'name'),
                  ),
                  imagePullSecrets: listBy(['name'], object({ name: oneOf('s1', 's2') }, 'name')),
                  hostAliases: listBy(
                    ['ip'],
                    object({ ip: oneOf('192.0.2.1', '192.0.2.2'), hostnames: listOf(oneOf('h1', 'h2')) }, 'ip'),
                  ),
                  tolerations: listOf(object({ key: oneOf('k1', 'k2'), operator: oneOf('Exists') }, 'operator')),
                  securityContext: object({ runAsUser: oneOf(1, 9007199254740993n) }),
                },
                'containers',
              ),
            },
            'metadata',
            'spec',
          ),
        },
        'selector',
        'template',
        'replicas',
      ),
    },
    'metadata',
    'spec',
  ),
};

const integer = { type: 'integer', format: 'int64' };
const part = {
  type: 'object',
  required: ['id'],
  properties: { id: integer, size: integer, on: { type: 'string', default: 'left' } },
};

/** The schema of Widgets; ours reads the same one. */
export const widgetSchema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        parts: {
          type: 'array',
          items: part,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['id', 'on'],
        },
        plain: { type: 'array', items: { type: 'integer' } },
        color: {
          type: 'object',
          'x-kubernetes-map-type': 'atomic',
          properties: { red: { type: 'integer' }, blue: { type: 'integer' } },
        },
        sizes: { type: 'object', additionalProperties: integer },
        port: { 'x-kubernetes-int-or-string': true },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        count: integer,
        ratio: { type: 'number' },
        mode: { type: 'string', enum: ['on', 'off'], default: 'on' },
        code: { type: 'string', pattern: '^[a-z]+$', maxLength: 3 },
        level: { type: 'integer', minimum: 0, maximum: 9 },
        maybe: { type: 'string', nullable: true },
        few: {
          type: 'array',
          maxItems: 2,
          items: { type: 'object', required: ['n'], properties: { n: { type: 'string' } } },
        },
        either: {
          type: 'object',
          properties: { a: integer, b: integer },
          oneOf: [{ required: ['a'] }, { required: ['b'] }],
        },
        when: { type: 'string', format: 'date-time' },
        inner: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
};

const widget: TriedKind = {
  apiVersion: 'patches.example.com/v1',
  kind: 'Widget',
  root: '/apis/patches.example.com/v1',
  resource: 'widgets',
  isCustom: true,
  resets: ['status'],
  shape: object(
    {
      metadata,
      spec: object({
        tags: setOf(oneOf('t1', 't2', 't3')),
        parts: listBy(
          ['id', 'on'],
          object({ id: oneOf(1, 2), on: oneOf('left', 'right'), size: oneOf(1, 2) }, 'id', 'on'),
        ),
        plain: listOf(oneOf(1, 2)),
        color: object({ red: oneOf(1, 2), blue: oneOf(1) }),
        sizes: map(letters, oneOf(1, 9007199254740993n)),
        port: oneOf(80, 'http'),
        free: object({ x: oneOf(1, 'y', true, [1, { z: 2 }]), deep: object({ w: oneOf(1, 2), v: oneOf([]) }) }),
        count: oneOf(0, 9007199254740993n, -9223372036854775808n),
        ratio: oneOf(1.5, 2),
        mode: oneOf('on', 'on', 'off', 'off', 'off', 'odd'),
        code: oneOf('a', 'ab', 'abc', 'abcd', 'A'),
        level: oneOf(0, 1, 5, 9, 10),
        maybe: oneOf('m', 'm', null),
        few: listOf(object({ n: oneOf('n') }, 'n')),
        either: object({ a: oneOf(1), b: oneOf(2) }, 'a'),
        when: oneOf('2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'soon'),
        inner: object({ apiVersion: oneOf('v1'), kind: oneOf('Pod'), more: oneOf({ x: 1 }) }, 'apiVersion', 'kind'),
      }),
      status: object({ phase: oneOf('Ready') }),
    },
    'metadata',
  ),
};

export const kinds: readonly TriedKind[] = [configMap, service, deployment, widget];

export const widgetDefinition: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.patches.example.com' },
  spec: {
    group: 'patches.example.com',
    names: { kind: 'Widget', plural: 'widgets' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: widgetSchema },
      },
    ],
  },
};
