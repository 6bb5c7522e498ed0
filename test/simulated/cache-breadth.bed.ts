/** What the cache knows beside objects, on simulated clusters: fields of custom resources, deletes, managedFields (CACHE-6, CACHE-7, CACHE-14). */

import type { Mutant } from '@fleet/bed/mutant.ts';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import { KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { grant } from './src/granting.ts';
import { startProduct } from './src/product.ts';
import { core, deregister, endpoint, pod, register, widgets } from './src/registering.ts';
import { type Answer, requestAs } from './src/request.ts';

const settled = { timeout: 30_000, interval: 50 };
/** In milliseconds: another product is started, and filled. */
const slow = 180_000;
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const gadgets = '/apis/example.dev/v1/namespaces/shop/widgets';
const maps = '/api/v1/namespaces/shop/configmaps';
const pods = '/api/v1/namespaces/shop/pods';
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const partial = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };

interface List {
  metadata: { resourceVersion?: string };
  items: { metadata: { name: string; managedFields?: unknown } }[];
}

const selectable = (...paths: string[]) => {
  const [version] = widgets.spec.versions;
  const spec = { type: 'object', properties: { color: { type: 'string' }, size: { type: 'integer' } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const selectableFields = paths.map((jsonPath) => ({ jsonPath }));
  return { ...widgets, spec: { ...widgets.spec, versions: [{ ...version!, selectableFields, schema }] } };
};

interface Scene extends AsyncDisposable {
  fleet: SimulatedFleet;
  admin: KubeConfig;
  client: KubeClient;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** How many members' parts of an answer came from where, by reasons. */
  sources(path: string, headers?: Record<string, string>): Promise<Record<string, number>>;
}

async function furnish({ client }: { client: KubeClient }): Promise<void> {
  const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['list', 'watch'] }];
  await grant(client, 'cache', 'system:serviceaccount:fleet-system:fleet-control', everything);
  await client.create(crds, selectable('.spec.color'));
  await client.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
  for (const [index, color] of ['red', 'green', 'red', 'blue'].entries()) {
    await client.create(maps, { metadata: { name: `map-${index}` }, data: { color } });
    const widget = { apiVersion: 'example.dev/v1', kind: 'Widget', metadata: { name: `widget-${index}` } };
    await vi.waitFor(() => client.create(gadgets, { ...widget, spec: { color, size: index } }), settled);
  }
  await client.create(gadgets, { apiVersion: 'example.dev/v1', kind: 'Widget', metadata: { name: 'plain' } });
}

async function startScene(): Promise<Scene> {
  const fleet = await startFleet({ members: ['member1', 'member2'] });
  for (const member of fleet.members.values()) await furnish(member);
  const { controlPlane } = fleet;
  const custom = [{ apiVersion: 'example.dev/v1', kind: 'Widget' }];
  await register(controlPlane, 'all', { resourceSelectors: [...core('Pod'), ...custom] });
  await register(controlPlane, 'pruned', { resourceSelectors: core('ConfigMap'), prune: ['managedFields'] });
  return { ...(await sceneOf(fleet, await fleet.config())), [Symbol.asyncDispose]: () => fleet[Symbol.asyncDispose]() };
}

/** Another product with a known bug, on the same members: to join them again takes longer than to find the bug. */
async function startBroken({ fleet }: Scene, mutant: Mutant): Promise<Scene> {
  const { product } = fleet;
  await using starting = new AsyncDisposableStack();
  // What it writes is whole on disk; so is a copy, while it writes nothing.
  product.signal('SIGSTOP');
  starting.defer(() => product.signal('SIGCONT'));
  const { url } = starting.use(await startProduct({ mutant, copyOf: product.dataDir }));
  const config = new KubeConfig();
  config.loadFromString((await fleet.config()).exportConfig().replaceAll(product.url, url));
  const scene = await sceneOf(fleet, config);
  const running = starting.move();
  return { ...scene, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function sceneOf(fleet: SimulatedFleet, admin: KubeConfig): Promise<Omit<Scene, typeof Symbol.asyncDispose>> {
  const counted = async () => {
    const { body } = await requestAs(admin, '/metrics', {}, true);
    const lines = [...(body as string).matchAll(/^fleet_cache_answers_total\{cluster="\w+",by="([\w-]+)"\} (\d+)/gm)];
    return Object.groupBy(lines, ([, by]) => by!);
  };
  const sumOf = (lines: readonly RegExpExecArray[] = []) => lines.reduce((sum, [, , count]) => sum + Number(count), 0);
  const scene: Omit<Scene, typeof Symbol.asyncDispose> = {
    fleet,
    admin,
    client: fleet.members.get('member1')!.client,
    get: (path, headers) => requestAs(admin, path, headers),
    async sources(path, headers) {
      const before = await counted();
      await requestAs(admin, path, headers);
      const now = Object.entries(await counted()).map(([by, lines]) => [by, sumOf(lines) - sumOf(before[by])] as const);
      return Object.fromEntries(now.filter(([, count]) => count > 0));
    },
  };
  for (const path of [gadgets, pods]) await untilCached(scene, path);
  await untilCached(scene, maps, table);
  return scene;
}

const untilCached = ({ sources }: Pick<Scene, 'sources'>, path: string, headers = {}, waited = settled) =>
  vi.waitFor(async () => expect(await sources(path, headers)).toEqual({ cached: 2 }), waited);

const by = (selector: string, path = gadgets) => `${path}?fieldSelector=${encodeURIComponent(selector)}`;

/** Its version moves with bookmarks. */
const shown = ({ status, body }: Answer) => [status, { ...(body as List), metadata: undefined }];

async function isAsLive({ get }: Scene, path: string, headers?: Record<string, string>): Promise<void> {
  expect(shown(await get(path, headers))).toEqual(shown(await get(`${path}&consistent=true`, headers)));
}

const namesIn = ({ body }: Answer): string[] => (body as List).items.map(({ metadata }) => metadata.name);

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
}, slow);
afterAll(() => scene?.[Symbol.asyncDispose]());

describe('CACHE-14: custom resources are selected by the fields of their definition', () => {
  it.each(['spec.color=red', 'spec.color!=red', 'spec.color=', 'spec.color=blue,metadata.namespace=shop'])(
    '%s from the cache, as the member does',
    async (selector) => {
      expect(await scene.sources(by(selector))).toEqual({ cached: 2 });
      await isAsLive(scene, by(selector));
      expect(namesIn(await scene.get(by(selector))).length).toBeGreaterThan(0);
    },
  );

  it.each([
    [gadgets, 'spec.size=1'],
    [gadgets, 'spec.nothing=1'],
    [pods, 'spec.priority=0'],
  ])('a field that is none is the member’s to refuse: %s %s', async (path, selector) => {
    expect(await scene.sources(by(selector, path))).toEqual({ 'unknown-field': 2 });
    expect((await scene.get(by(selector, path))).status).toBe(400);
  });

  it('another definition: what is gone is refused, what is new comes from the cache', () =>
    changesFields(scene, 'spec.color=red', 'spec.size=2'));
});

async function changesFields(scene: Scene, before: string, after: string, waited = settled): Promise<void> {
  for (const { client } of scene.fleet.members.values()) {
    const { spec } = selectable(`.${after.split('=')[0]}`);
    await client.patch(`${crds}/widgets.example.dev`, 'merge', { spec });
    await vi.waitFor(() => expect(client.list(by(before))).rejects.toThrow('not supported'), settled);
  }
  // First: while the member opens its watches anew everything goes live, whatever the cache knows of its fields.
  await untilCached(scene, by(after), {}, waited);
  await vi.waitFor(async () => expect((await scene.get(by(before))).status).toBe(400), waited);
  await isAsLive(scene, by(after));
  expect(namesIn(await scene.get(by(after)))).toContain('widget-2.clusterspace.member1');
}

const send = ({ admin }: Scene, method: string, path: string, body?: object) =>
  requestAs(admin, path, {}, false, body, method);

/** In milliseconds: less than what nobody knows the end of is waited for. */
const soon = 4_000;

type Act = (name: string) => Promise<Answer>;

/** On a busy machine some streams are late, but never all of them. */
async function deletesSeen(scene: Scene, path: string, act: Act, tries = 8): Promise<void> {
  for (let index = 0; index < tries; index++) {
    const name = `going-${index}`;
    const { metadata, spec } = pod(name);
    const made = path === pods ? { metadata, spec } : { apiVersion: 'example.dev/v1', kind: 'Widget', metadata };
    await scene.client.create(path, made);
    const shown = `${name}.clusterspace.member1`;
    await vi.waitFor(
      async () => expect(namesIn(await scene.get(`${path}?resourceVersion=0`))).toContain(shown),
      settled,
    );
    const { status } = await act(shown);
    expect(status).toBeLessThan(300);
    const { items } = (await scene.get(path)).body as { items: { metadata: Going }[] };
    expect(items.filter(({ metadata }) => metadata.name === shown && !metadata.deletionTimestamp)).toEqual([]);
    const began = performance.now();
    await untilCached(scene, path);
    if (performance.now() - began < soon) return;
  }
  throw new Error('never cached again before the time was over');
}

interface Going {
  name: string;
  deletionTimestamp?: string;
}

describe('CACHE-7: what was deleted is not read from the cache any more, which counts again once it shows that', () => {
  it('one object, deleted', () => deletesSeen(scene, pods, (name) => send(scene, 'DELETE', `${pods}/${name}`)));

  it('a pod, evicted', () => {
    const eviction = (name: string) => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });
    return deletesSeen(scene, pods, (name) => send(scene, 'POST', `${pods}/${name}/eviction`, eviction(name)));
  });

  it('a collection', () => {
    const one = `/clusterspaces/member1${gadgets}`;
    return deletesSeen(scene, gadgets, () => send(scene, 'DELETE', `${one}?labelSelector=app%3Dweb`));
  });
});

describe('CACHE-6: a registry that prunes managedFields', () => {
  /** Of objects that somebody has made: those of controllers have none here. */
  const managed = ({ body }: Answer) =>
    (body as List).items
      .filter(({ metadata }) => metadata.name.startsWith('map-'))
      .map(({ metadata }) => metadata.managedFields !== undefined);

  it('Tables come from the cache; objects and metadata from the members, with all of theirs', () => showsAll(scene));

  it('at the aggregation endpoint they come from the cache, without', async () => {
    for (const headers of [{}, partial]) {
      expect(await scene.sources(`${endpoint}${maps}`, headers)).toEqual({ cached: 2 });
      expect(managed(await scene.get(`${endpoint}${maps}`, headers))).not.toContain(true);
    }
  });

  it('CACHE-1: not where another registry wants them', async () => {
    await register(scene.fleet.controlPlane, 'whole', { resourceSelectors: core('ConfigMap') });
    await untilCached(scene, maps);
    expect(managed(await scene.get(maps))).not.toContain(false);
    await deregister(scene.fleet.controlPlane, 'whole');
    await vi.waitFor(async () => expect(await scene.sources(maps)).toEqual({ pruned: 2 }), settled);
  });

  async function showsAll(scene: Scene): Promise<void> {
    expect(await scene.sources(maps, table)).toEqual({ cached: 2 });
    for (const headers of [{}, partial]) {
      expect(await scene.sources(maps, headers)).toEqual({ pruned: 2 });
      expect(managed(await scene.get(maps, headers))).not.toContain(false);
    }
  }

  it(
    'negative control: shown everywhere',
    async () => {
      await using broken = await startBroken(scene, {
        file: 'server/src/cache/cached-source.ts',
        from: "form.as === 'Table' && form.includeObject !== 'Object'",
        to: 'form !== undefined',
      });
      await expect(showsAll(broken)).rejects.toThrow('expected { cached: 2 } to deeply equal { pruned: 2 }');
    },
    slow,
  );
});

describe('negative controls', () => {
  it(
    'fields that are never looked at again',
    async () => {
      await using broken = await startBroken(scene, {
        file: 'server/src/cache/cached-resource.ts',
        from: 'if (!this.canBeCustom) return;',
        to: 'if (this.canBeCustom) return;',
      });
      // Those that it has begun with are known to it.
      await untilCached(broken, by('spec.size=2'));
      const changed = changesFields(broken, 'spec.size=2', 'spec.color=red', { timeout: 8_000, interval: 50 });
      await expect(changed).rejects.toThrow("expected { 'unknown-field': 2 } to deeply equal { cached: 2 }");
    },
    slow,
  );

  it(
    'deletes that are waited for by time alone',
    async () => {
      await using broken = await startBroken(scene, {
        file: 'server/src/cache/observed-writes.ts',
        from: 'return deleted ? { deleted } : { unknown: true };',
        to: 'return deleted === null ? { deleted } : { unknown: true };',
      });
      const deleting = (name: string) => send(broken, 'DELETE', `${pods}/${name}`);
      await expect(deletesSeen(broken, pods, deleting, 2)).rejects.toThrow('before the time was over');
    },
    slow,
  );
});
