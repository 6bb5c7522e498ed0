/** The resources that the suite registers, and how its objects of them look. */

export interface Resource {
  /** As in `/apis/apps/v1`. */
  api: string;
  plural: string;
  kind: string;
  namespaced: boolean;
  /** Made and changed by the suite; others change by themselves. */
  isWritten: boolean;
  /** What clients may select by, with values that objects have. */
  fields: Readonly<Record<string, readonly string[]>>;
}

/** A name that is the beginning of others, with a byte before and one behind the slash that ends it in keys (PAGE-4). */
export const namespaces = ['shop', 'shop-2', 'shop0'];
export const emptyNamespace = 'empty';
export const parts = ['a', 'b', 'c', ''];
export const sizes = ['small', 'large'];

const inNamespaces = { 'metadata.namespace': [...namespaces, 'nowhere'] };

export const resources: readonly Resource[] = [
  {
    api: '/api/v1',
    plural: 'configmaps',
    kind: 'ConfigMap',
    namespaced: true,
    isWritten: true,
    fields: { ...inNamespaces, 'metadata.name': ['object-1', 'object.2', 'object.2.x'] },
  },
  {
    api: '/api/v1',
    plural: 'pods',
    kind: 'Pod',
    namespaced: true,
    isWritten: true,
    fields: {
      ...inNamespaces,
      'spec.nodeName': ['', 'node-1', 'member1-node-1'],
      'status.phase': ['Running', 'Pending', 'Succeeded'],
      'spec.restartPolicy': ['Always', 'Never'],
    },
  },
  {
    api: '/apis/apps/v1',
    plural: 'deployments',
    kind: 'Deployment',
    namespaced: true,
    isWritten: true,
    fields: inNamespaces,
  },
  {
    api: '/api/v1',
    plural: 'services',
    kind: 'Service',
    namespaced: true,
    isWritten: true,
    fields: { ...inNamespaces, 'spec.type': ['ClusterIP', 'NodePort'] },
  },
  {
    api: '/api/v1',
    plural: 'events',
    kind: 'Event',
    namespaced: true,
    isWritten: true,
    fields: {
      ...inNamespaces,
      reason: ['Tested', 'Scheduled', 'Started'],
      type: ['Normal', 'Warning'],
      'involvedObject.kind': ['Pod', 'ConfigMap'],
    },
  },
  {
    api: '/api/v1',
    plural: 'namespaces',
    kind: 'Namespace',
    namespaced: false,
    isWritten: false,
    fields: { 'metadata.name': ['shop'], 'status.phase': ['Active', 'Terminating'] },
  },
  {
    api: '/api/v1',
    plural: 'nodes',
    kind: 'Node',
    namespaced: false,
    isWritten: false,
    fields: { 'metadata.name': ['node-1'], 'spec.unschedulable': ['true', 'false'] },
  },
  {
    api: '/apis/example.dev/v1',
    plural: 'widgets',
    kind: 'Widget',
    namespaced: true,
    isWritten: true,
    fields: { ...inNamespaces, 'spec.size': sizes },
  },
];

export const resourceOf = (plural: string): Resource => resources.find((one) => one.plural === plural)!;

export const apiVersionOf = ({ api }: Resource): string => api.replace(/^\/apis?\//, '');

export const collectionOf = ({ api, plural }: Resource, namespace?: string): string =>
  namespace === undefined ? `${api}/${plural}` : `${api}/namespaces/${namespace}/${plural}`;

/** Only some members serve it. */
export const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.dev' },
  spec: {
    group: 'example.dev',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        selectableFields: [{ jsonPath: '.spec.size' }],
        additionalPrinterColumns: [
          { name: 'Size', type: 'string', jsonPath: '.spec.size' },
          { name: 'Count', type: 'integer', jsonPath: '.spec.count' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'string' }, count: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};
