/** Two custom kinds: a strict one with everything a schema can ask for, and a loose one in the cluster's scope. */
import type { Random } from '../random.ts';
import type { JsonObject } from '../request.ts';
import { type Kind, objectOf, ordinary } from './kind.ts';

const group = 'differential.fleet.dev';
const custom = { ...ordinary, group, version: 'v1' };

export const isCustom = (kind: Kind): boolean => kind.group === group;

const spec = (random: Random): JsonObject => ({
  color: random.pick(['red', 'green', 'blue']),
  size: random.below(9),
  ...(random.chance(0.3) && { tags: ['x', random.pick(['w', 'z'])] }),
  ...(random.chance(0.3) && { parts: [{ name: 'p', count: random.below(5) }] }),
  ...(random.chance(0.3) && { limits: { cpu: '5', any: { thing: [1, 2.5, null] } } }),
});

export const widget: Kind = {
  ...custom,
  kind: 'Widget',
  resource: 'widgets',
  weight: 10,
  scale: true,
  fields: ['spec.color=red', 'spec.color!=blue'],
  build: (random) => ({ spec: spec(random) }),
  edit: (random, body) => {
    body['spec'] = { ...objectOf(body['spec']), size: random.below(9), replicas: random.below(5) };
  },
  status: (random) => ({ phase: random.pick(['Ready', 'Waiting']), replicas: random.below(5) }),
};

/** The same objects in the version that they are not kept in, which has no scale and no fields to select by. */
export const widgetOfNextVersion: Kind = (({ scale: _, fields: __, ...kind }) => ({
  ...kind,
  version: 'v2',
  weight: 3,
}))(widget);

export const gadget: Kind = {
  ...custom,
  kind: 'Gadget',
  resource: 'gadgets',
  namespaced: false,
  build: (random) => ({ anything: { goes: random.below(10), here: [{ deep: [[]] }] }, unknown: 9007199254740991 }),
  edit: (random, body) => {
    body['anything'] = { goes: random.below(99) };
  },
};

const columns = [
  { name: 'Color', type: 'string', jsonPath: '.spec.color' },
  { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

const widgetSpec = {
  type: 'object',
  required: ['color'],
  properties: {
    color: { type: 'string', enum: ['red', 'green', 'blue'] },
    size: { type: 'integer', minimum: 0, maximum: 100 },
    replicas: { type: 'integer', default: 1, minimum: 0 },
    tags: {
      type: 'array',
      items: { type: 'string', maxLength: 10, pattern: '^[a-z]+$' },
      'x-kubernetes-list-type': 'set',
    },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, count: { type: 'integer', default: 3 } },
      },
    },
    limits: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    port: { 'x-kubernetes-int-or-string': true },
  },
  'x-kubernetes-validations': [
    { rule: "self.color != 'blue' || !has(self.size) || self.size < 9", message: 'blue is never that big' },
  ],
};

function definition(kind: Kind, singular: string, version: JsonObject, others: JsonObject[] = []): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${kind.resource}.${group}` },
    spec: {
      group,
      scope: kind.namespaced ? 'Namespaced' : 'Cluster',
      names: { kind: kind.kind, listKind: `${kind.kind}List`, plural: kind.resource, singular },
      versions: [{ name: 'v1', served: true, storage: true, ...version }, ...others],
    },
  };
}

const widgetSchema = (description: string) => ({
  openAPIV3Schema: {
    type: 'object',
    // schemas that are all the same are moved to the whole definition, and then no version may have fields to select by
    description,
    properties: {
      spec: widgetSpec,
      status: { type: 'object', properties: { phase: { type: 'string' }, replicas: { type: 'integer' } } },
    },
  },
});

/** The definitions both sides must have before a run. */
export const definitions: readonly JsonObject[] = [
  definition(
    widget,
    'widget',
    {
      schema: widgetSchema('first'),
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
      additionalPrinterColumns: columns,
      selectableFields: [{ jsonPath: '.spec.color' }],
    },
    [{ name: 'v2', served: true, storage: false, schema: widgetSchema('next'), subresources: { status: {} } }],
  ),
  definition(gadget, 'gadget', {
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  }),
];

// only dry runs: a definition that comes or goes changes discovery on its own time
export const customResourceDefinition: Kind = {
  ...ordinary,
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  resource: 'customresourcedefinitions',
  namespaced: false,
  weight: 2,
  settled: 'no',
  writes: 'dry',
  removal: 'dry',
  given: definitions.map((one) => String(objectOf(one['metadata'])['name'])),
  build: (_random, name) => {
    const [singular = '', ...domain] = name.split('.');
    return {
      spec: {
        group: domain.join('.'),
        scope: 'Namespaced',
        names: { kind: 'Thing', plural: singular },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
  },
  edit: (random, body) => {
    objectOf(body['metadata'])['annotations'] = { turn: String(random.below(9)) };
  },
};
