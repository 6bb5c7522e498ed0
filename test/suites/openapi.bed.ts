/** kubectl of both versions on the merged view's schemas: explain, validation, new kinds, an unreachable member. */

import { once } from 'node:events';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { VersionName } from '@fleet/bed/binaries.ts';
import { type KubectlOptions, runKubectl } from '@fleet/bed/kubectl.ts';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from './fleet.ts';
import { apply } from './rbac.ts';

let fleet: Fleet<'member1' | 'member2'>;

beforeAll(async () => {
  fleet = await startFleet({ member1: { version: 'newest', nodes: 0 }, member2: { version: 'older', nodes: 0 } });
  await apply(fleet.members.member2, definition('gadget'));
  await until('gadgets are served', async () => (await fleet.members.member2.kubectl('get', 'gadgets')).code === 0);
  await apply(fleet.members.member2, gadget({ size: 1 }));
  await until('gadgets are explained', async () => (await kubectl('newest', 'explain', 'gadgets.spec')).code === 0);
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const group = 'openapi.fleet';

const definition = (singular: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${singular}s.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: `${singular}s`, singular, kind: `${singular[0]?.toUpperCase()}${singular.slice(1)}` },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                description: `What a ${singular} is like.`,
                properties: { size: { type: 'integer', description: 'In metres.' } },
              },
            },
          },
        },
      },
    ],
  },
});

const gadget = (spec: object) => ({
  apiVersion: `${group}/v1`,
  kind: 'Gadget',
  metadata: { name: 'one', namespace: 'default' },
  spec,
});

const versions = ['newest', 'older'] as const satisfies VersionName[];

/** kubectl of either version, with a cache of its own. */
const run = (version: VersionName, kubeconfig: string, args: readonly (string | KubectlOptions)[]) => {
  const { dir, run: mark } = fleet.members[version === 'newest' ? 'member1' : 'member2'];
  return runKubectl({ version, kubeconfig, folder: dir, run: mark }, args);
};

const kubectl = (version: VersionName, ...args: (string | KubectlOptions)[]) =>
  run(version, fleet.product.adminKubeconfig, args);

async function ask({ server, ca, admin }: Product, path: string, headers: Record<string, string> = {}) {
  const asking = request(new URL(path, server), { ca, ...admin, headers });
  asking.end();
  const [response] = await once(asking, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const document = async (path: string) => JSON.parse((await ask(fleet.product, path)).body);

/** Every `$ref` of a document that leads nowhere. */
function danglingIn(root: unknown): string[] {
  const dangling = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === '$ref' && typeof inner === 'string' && !resolves(inner)) dangling.add(inner);
      else walk(inner);
    }
  };
  const resolves = (ref: string): boolean => {
    const path = ref
      .replace(/^#\//, '')
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    return path.reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], root) !== undefined;
  };
  walk(root);
  return [...dangling];
}

describe.each(versions)('kubectl %s on the vanilla view', (version) => {
  test.each([
    ['pods'],
    ['pods.spec.containers.livenessProbe.httpGet'],
    ['deployments.spec.strategy', '--recursive'],
    ['deployments', '--api-version=apps/v1'],
  ])('DISC-2: explain %s is as in the newest cluster', async (...args) => {
    const merged = await kubectl(version, 'explain', ...args);
    expect(merged).toMatchObject({ code: 0, stderr: '' });
    const direct = await run(version, fleet.members.member1.kubeconfig, ['explain', ...args]);
    expect(merged.stdout).toBe(direct.stdout);
  });

  test('DISC-2: explain knows a kind that one member alone has, and the fleet’s own', async () => {
    const { stdout } = await kubectl(version, 'explain', 'gadgets.spec', '--recursive');
    expect(stdout).toMatch(/What a gadget is like[\s\S]*size\s+<integer>/);
    expect((await kubectl(version, 'explain', 'clusters.cluster.karmada.io.spec')).stdout).toContain('apiEndpoint');
    expect((await kubectl(version, 'explain', 'gadgets.spec.colour')).stderr).toContain('does not exist');
  });

  test('DISC-2: version 2 in protobuf, as client-go asks for it', async () => {
    for (const [what, words] of [
      ['pods.spec', 'containers'],
      ['gadgets.spec', 'In metres.'],
    ] as const) {
      const { code, stdout } = await kubectl(version, 'explain', what, '--output=plaintext-openapiv2');
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(words) });
    }
  });

  test('DISC-2: a List is validated by the client, with the member’s schema', async () => {
    const list = (spec: object) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [gadget(spec)] });
    const validate = ['apply', '--dry-run=client', '--validate=strict', '-f', '-'];
    const wrong = await kubectl(version, ...validate, { stdin: list({ sizee: 1 }) });
    expect(wrong.stderr).toMatch(/ValidationError\(Gadget\.spec\): unknown field "sizee"/);
    const right = await kubectl(version, ...validate, { stdin: list({ size: 2 }) });
    expect(right.stderr).not.toContain('ValidationError');
  });

  test('DISC-2: fieldValidation is seen, so that the member validates: a wrong field is its own error', async () => {
    const wrong = await kubectl(version, 'apply', '--validate=strict', '-f', '-', {
      stdin: JSON.stringify(gadget({ sizee: 1 })),
    });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('strict decoding error: unknown field "spec.sizee"');
    const right = await kubectl(version, 'apply', '--validate=strict', '-f', '-', {
      stdin: JSON.stringify(gadget({ size: version === 'newest' ? 36 : 34 })),
    });
    expect(right).toMatchObject({ code: 0, stdout: 'gadget.openapi.fleet/one configured\n' });
  });

  test.each([['api-resources', '-o', 'name'], ['api-versions']])('DISC-1: %s is the union', async (...args) => {
    const lines = async (kubeconfig: string) => (await run(version, kubeconfig, args)).stdout.trim().split('\n').sort();
    const { product, members } = fleet;
    const direct = await Promise.all(Object.values(members).map((member) => lines(member.kubeconfig)));
    const own =
      args[0] === 'api-versions'
        ? ['cluster.karmada.io/v1alpha1', 'cluster.kubesphere.io/v1alpha1', 'search.karmada.io/v1alpha1']
        : [
            'agents.cluster.kubesphere.io',
            'clusters.cluster.karmada.io',
            'clusters.cluster.kubesphere.io',
            'resourceregistries.search.karmada.io',
          ];
    expect(await lines(product.adminKubeconfig)).toEqual([...new Set([...direct.flat(), ...own])].sort());
  });
});

describe('documents', () => {
  test('DISC-2: every reference of every document resolves, and nothing that a member has is missing', async () => {
    const { paths } = await document('/openapi/v3');
    for (const { serverRelativeURL } of Object.values(paths) as { serverRelativeURL: string }[]) {
      expect(danglingIn(await document(serverRelativeURL)), serverRelativeURL).toEqual([]);
    }
    const v2 = await document('/openapi/v2');
    expect(danglingIn(v2)).toEqual([]);
    for (const { api } of Object.values(fleet.members)) {
      const own = await api.object<Record<'paths' | 'definitions', object>>('/openapi/v2');
      for (const section of ['paths', 'definitions'] as const) {
        expect(Object.keys(own[section]).filter((name) => !(name in v2[section]))).toEqual([]);
      }
      const index = await api.object<{ paths: object }>('/openapi/v3');
      expect(Object.keys(index.paths).filter((path) => !(path in paths))).toEqual([]);
    }
  });

  test('DISC-2: the control plane’s schemas count', async () => {
    const own = await fleet.controlPlane.api.object<{ definitions: object }>('/openapi/v2');
    expect((await document('/openapi/v2')).definitions).toMatchObject(own.definitions);
  });

  test('DISC-3: an ETag on all of it, and 304 for who has it', async () => {
    const { paths } = await document('/openapi/v3');
    const apps = paths['apis/apps/v1'].serverRelativeURL;
    for (const path of ['/api', '/apis', '/apis/apps/v1', '/openapi/v2', '/openapi/v3', apps]) {
      const { status, headers } = await ask(fleet.product, path);
      expect(status, path).toBe(200);
      const again = await ask(fleet.product, path, { 'if-none-match': String(headers['etag']) });
      expect({ status: again.status, body: again.body }, path).toEqual({ status: 304, body: '' });
    }
    const moved = await ask(fleet.product, '/openapi/v3/apis/apps/v1?hash=OLD');
    expect({ status: moved.status, location: moved.headers['location'] }).toEqual({
      status: 301,
      location: apps.slice(apps.indexOf('?')),
    });
  });
});

describe('DISC-3: what changes', () => {
  const title = 'a kind that is made while all runs is listed and explained within seconds, and gone as soon';
  test(title, { timeout: 120_000 }, async () => {
    const mutant = await fleet.withMutant({
      file: 'server/src/discovery/api-changes.ts',
      from: 'this.onChange(name);',
      to: 'void name;',
    });
    // Through agents, which come after it, it reads members again when what it knows of them is old.
    await until('it lists the group', async () => (await mutant.kubectl('api-versions')).stdout.includes(group));
    const created = await fleet.product.kubectl('create', '-f', '-', {
      at: '/clusterspaces/member1',
      stdin: JSON.stringify(definition('gizmo')),
    });
    expect(created.code).toBe(0);
    const start = performance.now();
    const listed = async () => (await kubectl('newest', 'get', 'gizmos')).code === 0;
    await until('gizmos are listed', listed, { timeout: 15_000 });
    const listedAfter = performance.now() - start;
    const explained = async () => (await kubectl('newest', 'explain', 'gizmos.spec')).code === 0;
    await until('gizmos are explained', explained, { timeout: 15_000 });
    console.log({ listedAfter, explainedAfter: performance.now() - start });
    // negative control: one that does not look at changes knows nothing of it yet
    expect((await mutant.kubectl('api-resources', '-o', 'name')).stdout).not.toContain('gizmos');
    await fleet.members.member1.kubectl('delete', 'crd', `gizmos.${group}`);
    const gone = async () => !(await kubectl('newest', 'api-resources', '-o', 'name')).stdout.includes('gizmos');
    await until('gizmos are gone', gone, { timeout: 15_000 });
  });

  test('an unreachable member is shown as it was', async () => {
    fleet.members.member2.faults.freeze();
    try {
      expect((await kubectl('newest', 'api-resources', '-o', 'name')).stdout).toContain(`gadgets.${group}`);
      const { stdout } = await kubectl('newest', 'explain', 'gadgets.spec');
      expect(stdout).toContain('What a gadget is like');
      expect((await document('/openapi/v2')).definitions).toHaveProperty('fleet.openapi.v1.Gadget');
    } finally {
      fleet.members.member2.faults.thaw();
    }
  });
});

describe('negative controls', () => {
  test('a merger that takes the first document alone is noticed', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/discovery/openapi/unite.ts',
      from: 'if (!first) continue;',
      to: 'continue;',
    });
    const v2 = JSON.parse((await ask(product, '/openapi/v2')).body);
    expect(v2.definitions).not.toHaveProperty('fleet.openapi.v1.Gadget');
  });

  test('a document from which a schema is missing is noticed', async () => {
    const v2 = await document('/openapi/v2');
    delete v2.definitions['io.k8s.api.core.v1.PodSpec'];
    expect(danglingIn(v2)).toEqual(['#/definitions/io.k8s.api.core.v1.PodSpec']);
  });
});
