/** A custom resource from its definition to its end. */

import type { Row } from '../row.ts';

const group = '{group}.example.dev';

const spec = {
  type: 'object',
  description: 'The desired state.',
  required: ['size'],
  properties: {
    size: { type: 'integer', description: 'How large it is.', minimum: 1, default: 1 },
    replicas: { type: 'integer' },
    port: { 'x-kubernetes-int-or-string': true },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    inner: {
      type: 'object',
      description: 'Another object.',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { type: 'object' } },
    },
    open: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { spec: { type: 'object' } },
    },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, count: { type: 'integer' } },
      },
    },
  },
  'x-kubernetes-validations': [{ rule: '!has(self.replicas) || self.replicas <= 10', message: 'too many' }],
};

const definition = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd-{id}'], categories: ['all-{id}'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A widget.',
            properties: { spec, status: { type: 'object', properties: { replicas: { type: 'integer' } } } },
          },
        },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Port', type: 'string', jsonPath: '.spec.port', priority: 1 },
        ],
        selectableFields: [{ jsonPath: '.spec.size' }],
      },
    ],
  },
});

const widget = (more: object) =>
  JSON.stringify({ apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: '{widget}' }, spec: more });

const resource = `widgets.${group}`;

export const customs: Row[] = [
  { command: 'apply -f -', stdin: definition },
  { command: `wait --for=condition=Established crd/${resource} --timeout=30s` },
  { command: `get crd ${resource}` },
  { command: `api-resources --api-group=${group}` },
  { command: `explain widgets --api-version=${group}/v1` },
  { command: `explain widgets --api-version=${group}/v1 --recursive` },
  { command: `explain widgets.spec.inner --api-version=${group}/v1` },
  { command: `explain widgets.metadata.ownerReferences --api-version=${group}/v1` },
  { command: `explain widgets.spec.nothing --api-version=${group}/v1`, code: 1 },
  { command: 'create -f -', stdin: widget({ size: 2, port: 'http', parts: [{ name: 'a', count: 1 }] }) },
  { command: 'create -f -', stdin: widget({ size: 2 }), code: 1 },
  { command: 'apply -f -', stdin: widget({ size: 'large' }), code: 1 },
  { command: 'apply -f -', stdin: widget({ size: 2, unknown: true }), code: 1 },
  { command: 'apply -f -', stdin: widget({ size: 2, replicas: 11 }), code: 1 },
  { command: 'apply --server-side --field-manager=other -f -', stdin: widget({ size: 3 }), code: 1 },
  {
    command: 'apply --server-side --field-manager=other --force-conflicts -f -',
    stdin: widget({ size: 3, parts: [{ name: 'b' }] }),
  },
  { command: `get ${resource}` },
  { command: `get ${resource} {widget} -o wide` },
  { command: `get ${resource} {widget} -o jsonpath={.spec}` },
  { command: `get ${resource} --field-selector spec.size=3 -o name` },
  { command: `get ${resource} --field-selector spec.other=3 -o name`, code: 1 },
  { command: `get ${resource} {widget} -w --request-timeout=2s` },
  { command: `describe ${resource} {widget}` },
  { command: 'get wd-{id} -o name' },
  { command: 'get all-{id} -o name' },
  { command: `scale ${resource} {widget} --replicas=4` },
  { command: `patch ${resource} {widget} --type=merge -p {"spec":{"size":0}}`, code: 1 },
  { command: `patch ${resource} {widget} --type=strategic -p {"spec":{"size":4}}`, code: 1 },
  { command: `patch ${resource} {widget} --subresource=status --type=merge -p {"status":{"replicas":4}}` },
  { command: `get ${resource} {widget} --subresource=status -o jsonpath={.status}` },
  { command: `label ${resource} {widget} a=b` },
  { command: `annotate ${resource} {widget} a=b` },
  { command: 'diff -f -', stdin: widget({ size: 5 }), code: 1 },
  { command: `delete ${resource} {widget}` },
  { command: `delete crd ${resource}` },
  { command: `get ${resource}`, code: 1 },
];
