import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';
import { definitionsPath, widgetsOf } from '../testing/widgets.ts';

/** A definition of a kind that the server has itself. */
function definitionOf(group: string, resource: string, kind: string) {
  const { spec } = widgetsOf(group, { type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
  const annotations = { 'api-approved.kubernetes.io': 'unapproved, a test' };
  const names = { plural: resource, kind };
  return { metadata: { name: `${resource}.${group}`, annotations }, spec: { ...spec, names } };
}

it.each([
  ['networking.k8s.io', 'ingresses', 'Ingress', '/apis/networking.k8s.io/v1/namespaces/default/ingresses'],
  ['apiregistration.k8s.io', 'apiservices', 'APIService', '/apis/apiregistration.k8s.io/v1/apiservices'],
])(
  'a definition in %s takes nothing from the built-in %s, neither while it is there nor when it goes',
  async (group, resource, kind, path) => {
    const { ask } = await openServer();
    const apiVersion = `${group}/v1`;
    const spec = { defaultBackend: { service: { name: 'own', port: { number: 80 } } }, insecureSkipTLSVerify: true };
    const object = { apiVersion, kind, metadata: { name: 'own' }, spec };
    expect((await ask('POST', path, object)).status).toBe(201);
    const definition = definitionOf(group, resource, kind);
    definition.spec.scope = path.includes('/namespaces/') ? 'Namespaced' : 'Cluster';
    const made = await ask('POST', definitionsPath, definition);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const at = `${definitionsPath}/${resource}.${group}`;
    const conditions = async () => JSON.stringify((await ask('GET', at)).body['status']);
    await expect.poll(conditions, { timeout: 10_000 }).toContain('"type":"Established"');
    // Of its own type, which drops unknown fields.
    const unknown = await ask('POST', path, { ...object, metadata: { name: 'other' }, spec: { unknown: 1 } });
    expect(unknown.body['spec'] ?? {}).not.toHaveProperty('unknown');
    await ask('DELETE', at);
    await expect.poll(async () => (await ask('GET', at)).status, { timeout: 10_000 }).toBe(404);
    expect((await ask('GET', `${path}/own`)).status).toBe(200);
  },
);
