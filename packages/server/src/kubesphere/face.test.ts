import { readFile } from 'node:fs/promises';
import { privileged } from '@fleet/apiserver/authn/user.ts';
import { InProcessUpstream } from '@fleet/apiserver/http/in-process-upstream.ts';
import { startServer, type TestServer } from '@fleet/apiserver/testing/open-server.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { bodyOf } from '@fleet/client/reply-body.ts';
import type { Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { watchLines } from '@fleet/kube/watch-lines.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { digest } from '../discovery/openapi/index-document.ts';
import { statusReply } from '../testing/fake-upstream.ts';
import { silentLog } from '../testing/silent-log.ts';
import { Described } from './described.ts';
import { openFace } from './face.ts';

const clusters = '/apis/cluster.karmada.io/v1alpha1/clusters';
const path = '/apis/cluster.kubesphere.io/v1alpha1/clusters';
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const secrets = '/api/v1/namespaces/karmada-cluster/secrets';

interface Scene {
  controlPlane: TestServer;
  upstream: Upstream;
  face: Upstream;
}

let controlPlane: Awaited<ReturnType<typeof startServer>>;

/** One for all tests: parsing the definitions takes most of a second. */
beforeAll(async () => {
  controlPlane = await startServer();
  for (const name of ['clusters.cluster.karmada.io', 'agents.cluster.kubesphere.io']) {
    const file = new URL(`../../manifests/${name}.json`, import.meta.url);
    await controlPlane.ask('POST', crds, await readFile(file, 'utf8'));
  }
  await controlPlane.ask('POST', '/api/v1/namespaces', { metadata: { name: 'karmada-cluster' } });
  await vi.waitFor(async () => expect((await controlPlane.ask('GET', clusters)).status).toBe(200), 5_000);
});

afterEach(async () => {
  for (const collection of [clusters, secrets]) await controlPlane.ask('DELETE', collection);
});

afterAll(async () => {
  await controlPlane?.[Symbol.asyncDispose]();
});

/** `before`: answers in the place of the control plane. */
function open(before: (call: UpstreamCall) => ReturnType<typeof statusReply> | undefined = () => undefined): Scene {
  const server = new InProcessUpstream(controlPlane.server.handler, privileged('test'));
  const upstream: Upstream = {
    call: async (call) => before(call) ?? server.call(call),
    upgrade: (call) => server.upgrade(call),
    [Symbol.asyncDispose]: async () => {},
  };
  const face = openFace(new KubeClient(upstream), 'v1.36.3', silentLog().log);
  onTestFinished(async () => face[Symbol.asyncDispose]());
  return { controlPlane, upstream, face };
}

async function ask(
  { face }: Pick<Scene, 'face'>,
  method: string,
  url: string,
  body?: object,
  type = 'application/json',
) {
  const signal = AbortSignal.timeout(10_000);
  const headers = { 'content-type': type };
  const bytes = body && Buffer.from(JSON.stringify(body));
  const reply = await face.call({ method, path: url, headers, body: bytes, signal });
  return { status: reply.status, body: JSON.parse((await reply.body.bytes()).toString()) as Record<string, unknown> };
}

const karmadas = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster' };

const named = (name: string, spec: object = {}) => ({
  apiVersion: 'cluster.kubesphere.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name },
  spec,
});

describe('KS-1: the face over a control plane', () => {
  it('patches by many at once all take effect', async () => {
    const scene = open();
    await ask(scene, 'POST', path, named('a'));
    const labels = Array.from({ length: 4 }, (_, index) => `l${index}`);
    const answers = await Promise.all(
      labels.map((label) =>
        ask(scene, 'PATCH', `${path}/a`, { metadata: { labels: { [label]: 'x' } } }, 'application/merge-patch+json'),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await ask(scene, 'GET', `${path}/a`);
    expect(Object.keys((body['metadata'] as { labels: object }).labels).sort()).toEqual(labels);
  });

  it('a create whose Secret cannot be written leaves nothing behind', async () => {
    const scene = open(({ method, path }) =>
      method === 'POST' && path.startsWith(secrets) ? statusReply(500, 'InternalError', 'no') : undefined,
    );
    expect((await ask(scene, 'POST', path, named('a', { connection: { token: 't'.repeat(32) } }))).status).toBe(500);
    expect((await ask(scene, 'GET', `${path}/a`)).status).toBe(404);
  });

  it('a name cannot be generated for a cluster with a credential; without one it can', async () => {
    const scene = open();
    const { metadata: _, ...rest } = named('', { connection: { token: 't'.repeat(32) } });
    const generated = { ...rest, metadata: { generateName: 'a-' } };
    expect(await ask(scene, 'POST', path, generated)).toMatchObject({ status: 422 });
    expect(await ask(scene, 'POST', path, { ...generated, spec: {} })).toMatchObject({ status: 201 });
  });

  it('updates need the version, and are refused with another uid', async () => {
    const scene = open();
    const { body } = await ask(scene, 'POST', path, named('a'));
    expect(await ask(scene, 'PUT', `${path}/a`, named('a'))).toMatchObject({ status: 422 });
    const metadata = { ...(body['metadata'] as object), uid: 'other' };
    expect(await ask(scene, 'PUT', `${path}/a`, { ...body, metadata })).toMatchObject({ status: 409 });
    expect(await ask(scene, 'PUT', `${path}/a`, body)).toMatchObject({ status: 200 });
    expect(await ask(scene, 'PUT', `${path}/b`, named('a'))).toMatchObject({ status: 400 });
  });

  it('deletes by precondition, and all that a selector selects', async () => {
    const scene = open();
    for (const name of ['a', 'b']) await ask(scene, 'POST', path, named(name));
    const wrong = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'other' } };
    expect(await ask(scene, 'DELETE', `${path}/a`, wrong)).toMatchObject({ status: 409 });
    expect(await ask(scene, 'DELETE', `${path}/a?dryRun=All`)).toMatchObject({ status: 200 });
    expect(await ask(scene, 'DELETE', `${path}/a`)).toMatchObject({ status: 200, body: { status: 'Success' } });
    expect(await ask(scene, 'DELETE', path)).toMatchObject({ status: 200, body: { items: [{ kind: 'Cluster' }] } });
    expect((await ask(scene, 'GET', path)).body).toMatchObject({ items: [] });
  });

  it('a watch begins with all that is there, ends that with a bookmark, and goes on', async () => {
    const scene = open();
    await ask(scene, 'POST', path, named('a'));
    const stop = new AbortController();
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watch = async (url: string) =>
      (await scene.face.call({ method: 'GET', path: url, headers: {}, signal: stop.signal })).body;
    const events: { type: string; object: { kind: string; spec?: object; metadata: object; code?: number } }[] = [];
    for await (const line of watchLines(await watch(`${path}?${query}`))) {
      events.push(JSON.parse(line.toString()));
      if (events.length === 2) break;
    }
    expect(events).toMatchObject([
      { type: 'ADDED', object: { kind: 'Cluster', spec: { active: true } } },
      { type: 'BOOKMARK', object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } } },
    ]);
    stop.abort();
  });

  it('a watch that the control plane cannot resume ends with its error, in the words of the face', async () => {
    const message = 'clusters.cluster.karmada.io: too old resource version';
    const scene = open(({ path }) => (path.includes('watch=') ? statusReply(410, 'Expired', message) : undefined));
    const { body } = await ask(scene, 'GET', `${path}?watch=true&resourceVersion=1`);
    expect(body).toMatchObject({
      type: 'ERROR',
      object: { code: 410, message: message.replace('karmada', 'kubesphere') },
    });
  });

  it('a long list is read in pages, and shown as one', async () => {
    const pages: string[] = [];
    const scene = open(({ method, path }) => {
      if (method === 'GET' && path.startsWith(`${clusters}?`)) pages.push(path);
      return undefined;
    });
    const names = Array.from({ length: 120 }, (_, index) => `c${String(index).padStart(3, '0')}`);
    const spec = { syncMode: 'Push' };
    await Promise.all(
      names.map((name) => scene.controlPlane.ask('POST', clusters, { ...karmadas, metadata: { name }, spec })),
    );
    const { body } = await ask(scene, 'GET', path);
    const { items, metadata } = body as unknown as { items: { metadata: { name: string } }[]; metadata: object };
    expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
    expect(metadata).toEqual({ continue: '', resourceVersion: expect.stringMatching(/^\d+$/) });
    expect(pages).toHaveLength(3);
  });

  it('what is too long is not read', async () => {
    const scene = open();
    const config = 'YQ=='.repeat(100_000);
    expect(await ask(scene, 'POST', path, named('a', { config }))).toMatchObject({ status: 413 });
  });
});

/** As a kube-apiserver, which tags all of them. */
const withTags = (upstream: Upstream): Upstream => ({
  ...upstream,
  async call(call) {
    const { status, headers, body } = await upstream.call({
      ...call,
      headers: { ...call.headers, 'if-none-match': undefined },
    });
    const bytes = await body.bytes();
    const etag = `"${digest(bytes)}"`;
    if (call.headers['if-none-match'] === etag)
      return { status: 304, headers: { etag }, body: bodyOf(Buffer.alloc(0)) };
    return { status, headers: { ...headers, etag }, body: bodyOf(bytes) };
  },
});

describe('DISC-1, DISC-2: what the control plane describes, with the face', () => {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

  it.each(['/apis', '/openapi/v3', '/openapi/v3/apis/cluster.kubesphere.io/v1alpha1'])(
    '%s has a tag by which nothing is sent again, until it changes',
    async (url) => {
      const { upstream: untagged, face } = open();
      const upstream = withTags(untagged);
      const described = new Described(upstream, face);
      const get = (headers: UpstreamCall['headers'] = {}) =>
        described.call({
          method: 'GET',
          path: url,
          headers: { accept, ...headers },
          signal: AbortSignal.timeout(5_000),
        });
      const { headers, body } = await get();
      expect((await body.bytes()).toString()).toContain('cluster.kubesphere.io');
      const etag = headers['etag'];
      expect(etag).toBeTruthy();
      const again = await get({ 'if-none-match': etag });
      expect([again.status, again.headers['etag']]).toEqual([304, etag]);
      const crd = `${crds}/agents.cluster.kubesphere.io`;
      const patch = [{ op: 'add', path: '/spec/names/shortNames', value: [`ag${url.length}`] }];
      const more = [{ op: 'add', path: '/spec/versions/0/schema/openAPIV3Schema/description', value: url }];
      await controlPlane.ask('PATCH', crd, JSON.stringify([...patch, ...more]), {
        'content-type': 'application/json-patch+json',
      });
      await expect.poll(async () => (await get({ 'if-none-match': etag })).status).toBe(200);
    },
  );

  it('CLU-1: `clusters` alone are Karmada’s: the group of the face comes last', async () => {
    const { upstream, face } = open();
    const groups = async (accept: string) => {
      const signal = AbortSignal.timeout(5_000);
      const reply = await new Described(upstream, face).call({
        method: 'GET',
        path: '/apis',
        headers: { accept },
        signal,
      });
      return (await reply.body.bytes()).toString();
    };
    for (const text of [await groups(accept), await groups('application/json')])
      expect(text.indexOf('"name":"cluster.kubesphere.io"')).toBeGreaterThan(
        text.indexOf('"name":"cluster.karmada.io"'),
      );
  });

  it('the index names the document of both by the hash of its bytes', async () => {
    const { upstream, face } = open();
    const described = new Described(upstream, face);
    const get = async (path: string) => {
      const signal = AbortSignal.timeout(5_000);
      const reply = await described.call({ method: 'GET', path, headers: { accept: 'application/json' }, signal });
      return { ...reply, text: (await reply.body.bytes()).toString() };
    };
    const { paths } = JSON.parse((await get('/openapi/v3')).text) as Record<string, Record<string, unknown>>;
    const { serverRelativeURL: url } = paths!['apis/cluster.kubesphere.io/v1alpha1'] as { serverRelativeURL: string };
    const { headers, text } = await get(url);
    expect(headers).toMatchObject({ etag: `"${url.split('hash=')[1]}"`, 'cache-control': 'public, immutable' });
    expect(text).toMatch(/joinFederation/);
    expect(text).toMatch(/secretRef/);
  });
});
