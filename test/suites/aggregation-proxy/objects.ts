/** An object of each kind that the aggregation proxy proposal's goals name, in the form that members take. */

const labels = { app: 'goal' };

export const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.fleet' },
  spec: {
    group: 'example.fleet',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size' }],
        selectableFields: [{ jsonPath: '.spec.size' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'string' } } } },
          },
        },
      },
    ],
  },
};

export const widget = (name: string, size: string) => ({
  apiVersion: 'example.fleet/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default', labels },
  spec: { size },
});

/** Kinds of member clusters, with their collections. */
export const goals = [
  {
    resource: 'pods',
    collection: '/api/v1/namespaces/default/pods',
    make: (name: string) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels },
      spec: { containers: [{ name: 'bar', image: 'nginx:1' }], terminationGracePeriodSeconds: 0 },
    }),
  },
  {
    resource: 'nodes',
    collection: '/api/v1/nodes',
    make: (name: string) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels } }),
  },
  {
    resource: 'events',
    collection: '/api/v1/namespaces/default/events',
    make: (name: string) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, labels },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'nginx-1' },
      reason: 'Testing',
    }),
  },
  {
    resource: 'endpointslices',
    collection: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    make: (name: string) => ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name, labels },
      addressType: 'IPv4',
      endpoints: [],
    }),
  },
] as const;
