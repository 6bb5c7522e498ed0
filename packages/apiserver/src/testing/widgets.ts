export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The definition of a kind of this group, with one version and this schema. */
export const widgetsOf = (group: string, schema: object) => ({
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});
