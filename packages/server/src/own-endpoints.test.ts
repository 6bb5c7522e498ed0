import { describe, expect, it } from 'vitest';
import { Discovery, type MergedView } from './discovery/discovery.ts';
import { OpenApi } from './discovery/openapi/openapi.ts';
import { createMetrics } from './observe/metrics.ts';
import { createOwnEndpoints } from './own-endpoints.ts';
import { FakeUpstream, replyOf } from './testing/fake-upstream.ts';
import { silentLog } from './testing/silent-log.ts';
import { incomingOf, targetOf } from './testing/targets.ts';

const { log } = silentLog();

const clusterOf = (name: string, gitVersion: unknown, group: string) => ({
  name,
  upstream: new FakeUpstream(({ path }) => {
    switch (path) {
      case '/version':
        return replyOf(200, { major: '1', gitVersion });
      case '/openapi/v3':
        return replyOf(200, { paths: { [`apis/${group}/v1`]: { serverRelativeURL: `/x?hash=${name}` } } });
      default: {
        const items = path === '/api' ? [] : [{ metadata: { name: group }, versions: [{ version: 'v1' }] }];
        return replyOf(200, { kind: 'APIGroupDiscoveryList', items });
      }
    }
  }),
});

const fleet = [
  { ...clusterOf('karmada', 'v1.33.0', 'cluster.karmada.io'), owns: () => true },
  clusterOf('m1', 'v1.36.3', 'one.io'),
  clusterOf('m2', 'v1.34.4-gke.1', 'two.io'),
];

const answer = (
  method: string,
  path: string,
  { ready = true, reaches = true, view, places = fleet }: Partial<Options> = {},
) => {
  const discovery = new Discovery(() => places, log);
  const here = createOwnEndpoints({
    discovery,
    openapi: new OpenApi((of) => discovery.contributors(of), log),
    metrics: createMetrics(),
    version: { gitVersion: 'v1.33.0' },
    ready: () => ready,
    checks: [{ name: 'control-plane', isWell: () => reaches }],
  });
  return here({ target: { ...targetOf(method, path), about: view ?? 'fleet' } }, incomingOf(method, path));
};

interface Options {
  ready: boolean;
  reaches: boolean;
  view: MergedView;
  places: typeof fleet;
}

async function textOf({ body }: Awaited<ReturnType<typeof answer>>): Promise<string> {
  if (body === undefined || Buffer.isBuffer(body)) return String(body);
  return String(Buffer.concat(await Array.fromAsync(body)));
}

describe('URL-10: the product’s own paths', () => {
  it.each([
    ['/livez', true, 200, 'ok'],
    ['/livez', false, 200, 'ok'],
    ['/readyz', true, 200, 'ok'],
    ['/readyz', false, 503, '[-]shutdown failed: reason withheld\n'],
    ['/healthz', false, 200, 'ok'],
    ['/version', true, 200, '"gitVersion":"v1.33.0+fleet.'],
    ['/metrics', true, 200, 'fleet_requests_total'],
    ['/', true, 200, '"/apis"'],
    ['/apis', true, 200, '"APIGroupList"'],
    ['/openapi/v3', true, 200, '"apis/one.io/v1"'],
  ])('%s (ready: %s) is %i', async (path, ready, status, text) => {
    const reply = await answer('GET', path, { ready });
    expect(reply.status).toBe(status);
    expect(await textOf(reply)).toContain(text);
  });

  it('SEC-6: without its control plane it is alive, and not ready', async () => {
    const asked = ['/livez', '/healthz', '/readyz'].map((path) => answer('GET', path, { reaches: false }));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 503]);
    expect(await textOf(await asked[2]!)).toContain('[-]control-plane failed: reason withheld\n');
  });

  it('ERR-1: unknown paths are 404, writes 405', async () => {
    for (const path of ['/nothing', '/openapi', '/openapi/v4', '/openapi/v3/apis/none/v1'])
      await expect(answer('GET', path)).rejects.toMatchObject({ code: 404 });
    await expect(answer('POST', '/version')).rejects.toMatchObject({ code: 405 });
    await expect(answer('POST', '/openapi/v2')).rejects.toMatchObject({ code: 405 });
  });
});

describe('LIST-6: the members’ union', () => {
  it.each(['/apis', '/openapi/v3'])('%s is without the control plane', async (path) => {
    const [all, members] = await Promise.all(
      (['fleet', 'members'] as const).map(async (view) => textOf(await answer('GET', path, { view }))),
    );
    for (const group of ['one.io', 'two.io']) expect(members).toContain(group);
    expect(all).toContain('cluster.karmada.io');
    expect(members).not.toContain('cluster.karmada.io');
  });

  it('/version is the oldest member’s, so that clients use nothing that one lacks', async () => {
    const reply = await answer('GET', '/version', { view: 'members' });
    expect(JSON.parse(await textOf(reply))).toMatchObject({ gitVersion: expect.stringMatching(/^v1\.34\.4-gke\.1\+/) });
  });

  it.each([
    ['a number', 5],
    ['null', null],
    ['nothing', ''],
    ['a word', 'latest'],
    ['a list', ['v1.0.0']],
    ['an object', {}],
    ['too long', `v1.0.0-${'x'.repeat(1000)}`],
  ])('SEC-2: a member whose version is %s counts for none', async (_, gitVersion) => {
    const places = [...fleet, clusterOf('m3', gitVersion, 'three.io')];
    const reply = await answer('GET', '/version', { view: 'members', places });
    expect(JSON.parse(await textOf(reply))).toEqual({ major: '1', gitVersion: expect.stringMatching(/^v1\.34\.4-/) });
    const alone = answer('GET', '/version', { view: 'members', places: places.slice(-1) });
    await expect(alone).rejects.toMatchObject({ code: 503 });
  });

  it('/version without any member is 503', async () => {
    await expect(answer('GET', '/version', { view: 'members', places: [] })).rejects.toMatchObject({ code: 503 });
  });
});
