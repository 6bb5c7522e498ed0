import { describe, expect, it } from 'vitest';
import { builtInResources, builtInType, builtInTypeOf } from './built-in.ts';
import { propertyOf, type Schema } from './open-api.ts';

/** All names that a schema refers to. */
const references = (schema: Schema): string[] => JSON.stringify(schema).match(/(?<="\$ref":")[^"]+/g) ?? [];

describe('built-in kinds', () => {
  it('have a type each, and every type that it refers to', () => {
    const seen = new Set<string>();
    const visit = (name: string): void => {
      if (seen.has(name)) return;
      seen.add(name);
      const schema = builtInType(name);
      expect(schema, name).toBeDefined();
      for (const one of references(schema!)) visit(one);
    };
    for (const { group, version, kind } of builtInResources()) {
      const name = builtInTypeOf(`${group ? `${group}/` : ''}${version}`, kind);
      expect(name, `${group} ${version} ${kind}`).toBeDefined();
      visit(name!);
    }
    expect(builtInResources().length).toBeGreaterThan(60);
    expect(seen.size).toBeGreaterThan(400);
  });

  it('define how lists merge, which fields exist, and which are required', () => {
    const container = builtInType('io.k8s.api.core.v1.Container')!;
    expect(propertyOf(container, 'ports')).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'containerPort',
    });
    expect(propertyOf(container, 'imagePullPolicy')?.enum).toEqual(['Always', 'IfNotPresent', 'Never']);
    expect(propertyOf(container, 'toString')).toBeUndefined();
    expect(propertyOf(builtInType('io.k8s.api.apps.v1.DeploymentSpec')!, 'strategy')).toMatchObject({
      $ref: 'io.k8s.api.apps.v1.DeploymentStrategy',
      'x-kubernetes-patch-strategy': 'retainKeys',
    });
  });

  it('carry no prose', () => {
    expect(JSON.stringify(builtInType('io.k8s.api.core.v1.PodSpec'))).not.toContain('"description"');
    // A field named description is kept.
    const event = builtInType('io.k8s.apimachinery.pkg.apis.meta.v1.APIResource')!;
    expect(propertyOf(event, 'kind')).toEqual({ type: 'string', default: '' });
    expect(
      builtInType('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps')?.properties,
    ).toHaveProperty('description');
  });

  it('are discovered and printed as kube-apiserver does it', () => {
    expect(builtInResources().find(({ group, name }) => group === 'apps' && name === 'deployments')).toEqual({
      group: 'apps',
      version: 'v1',
      name: 'deployments',
      singular: 'deployment',
      kind: 'Deployment',
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      shortNames: ['deploy'],
      categories: ['all'],
      subresources: [
        { name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: ['get', 'patch', 'update'] },
        { name: 'status', kind: 'Deployment', verbs: ['get', 'patch', 'update'] },
      ],
      columns: [
        { name: 'Name', type: 'string', format: 'name' },
        { name: 'Ready', type: 'string' },
        { name: 'Up-to-date', type: 'string' },
        { name: 'Available', type: 'string' },
        { name: 'Age', type: 'string' },
        { name: 'Containers', type: 'string', priority: 1 },
        { name: 'Images', type: 'string', priority: 1 },
        { name: 'Selector', type: 'string', priority: 1 },
      ],
    });
  });
});
