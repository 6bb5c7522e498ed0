import { describe, expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';
import { definitionsPath, widgetsOf } from '../testing/widgets.ts';

interface Document {
  paths: Record<string, Record<string, { parameters?: { name: string }[] }>>;
  components: { schemas: Record<string, { properties?: Record<string, object> }> };
}

const v3 = async (ask: Awaited<ReturnType<typeof openServer>>['ask'], root: string) => {
  const { body } = await ask('GET', '/openapi/v3');
  const { serverRelativeURL } = (body['paths'] as Record<string, { serverRelativeURL: string }>)[root]!;
  const answer = await ask('GET', serverRelativeURL);
  return { ...answer, document: answer.body as unknown as Document };
};

describe('OpenAPI', () => {
  it('version 3 has a document for each group and version, kept by its hash', async () => {
    const { ask } = await openServer();
    const { headers, document } = await v3(ask, 'apis/apps/v1');
    expect(headers['cache-control']).toBe('public, immutable');
    const path = document.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']!;
    expect(path['patch']).toMatchObject({
      'x-kubernetes-group-version-kind': { group: 'apps', version: 'v1', kind: 'Deployment' },
    });
    expect(path['patch']!.parameters!.map(({ name }) => name)).toContain('fieldValidation');
    const again = await ask('GET', '/openapi/v3/apis/apps/v1', undefined, { 'if-none-match': String(headers['etag']) });
    expect(again.status).toBe(304);
  });

  it('version 3 has no empty lists, which Go would not write out again', async () => {
    const { ask } = await openServer();
    for (const root of ['api/v1', 'apis/apiextensions.k8s.io/v1']) {
      expect(JSON.stringify((await v3(ask, root)).document.paths)).not.toContain('[]');
    }
  });

  it('types refer to types that are there, with what patches need to know', async () => {
    const { ask } = await openServer();
    const { document } = await v3(ask, 'api/v1');
    const { schemas } = document.components;
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      expect(schemas, name).toHaveProperty([name!]);
    }
    expect(schemas['io.k8s.api.core.v1.PodSpec']!.properties!['containers']).toMatchObject({
      type: 'array',
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    });
    expect(schemas['io.k8s.api.core.v1.PodSpec']!.properties!['containers']).not.toHaveProperty('description');
  });

  it('version 2 has no defaults and no alternatives, and what stands beside a reference stays there', async () => {
    const { ask } = await openServer();
    const { document } = await v3(ask, 'apis/apps/v1');
    const name = 'io.k8s.api.apps.v1.Deployment';
    const metadata = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
    expect(document.components.schemas[name]!.properties!['metadata']).toEqual({
      allOf: [{ $ref: `#/components/schemas/${metadata}` }],
      default: {},
    });
    const { body } = await ask('GET', '/openapi/v2');
    const { definitions } = body as unknown as { definitions: Document['components']['schemas'] };
    expect(definitions[name]!.properties!['metadata']).toEqual({ $ref: `#/definitions/${metadata}` });
    expect(definitions['io.k8s.apimachinery.pkg.api.resource.Quantity']).toEqual({ type: 'string' });
    const port = { type: 'string', format: 'int-or-string' };
    expect(definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString']).toEqual(port);
  });

  it('knows what comes later', async () => {
    const { ask } = await openServer();
    await ask('GET', '/openapi/v3');
    const group = 'example.com';
    const schema = { type: 'object', properties: { spec: { type: 'object' } } };
    await ask('POST', definitionsPath, widgetsOf(group, schema));
    await expect.poll(async () => (await ask('GET', `/apis/${group}/v1`)).status).toBe(200);
    const { document } = await v3(ask, `apis/${group}/v1`);
    expect(document.components.schemas['com.example.v1.Widget']!.properties).toHaveProperty('spec');
    const all = (await ask('GET', '/openapi/v2')).body as { definitions?: object };
    expect(all.definitions).toHaveProperty(['com.example.v1.Widget']);
    const accept = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
    const { body } = await ask('GET', '/openapi/v2', undefined, { accept });
    expect(body['text']).toContain('com.example.v1.Widget');
    expect((await ask('GET', '/openapi/v2', undefined, { accept: 'text/plain' })).status).toBe(406);
  });

  it.each(['application/json', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'])(
    'LIMIT-3: the event loop turns while a wide definition is described as %s',
    async (accept) => {
      const { ask, server } = await openServer();
      const fields = Array.from({ length: 20_000 }, (_, index) => [`field${index}`, { type: 'string' as const }]);
      const known = server.resources.find({ group: '', version: 'v1', resource: 'configmaps' })!;
      const printed = { ...known.printed, group: 'example.com', resource: 'wides', kind: 'Wide' };
      const schema = { type: 'object' as const, properties: Object.fromEntries(fields) };
      server.resources.add({ ...known, printed, types: { ...known.types, schema } });
      let turns = 0;
      let turning = true;
      const turn = (): void => {
        turns += 1;
        if (turning) setImmediate(turn);
      };
      turn();
      const { status } = await ask('GET', '/openapi/v2', undefined, { accept });
      turning = false;
      expect(status).toBe(200);
      expect(turns).toBeGreaterThan(2);
    },
  );
});
