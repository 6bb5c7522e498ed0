/** Pages over all clusters: ten thousand objects in three members, read by 500 while they change (PAGE-1 to PAGE-3). */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCached } from '@fleet/bed/cached/everything.ts';
import type { Member } from '@fleet/bed/member.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from './fleet.ts';
import { churn } from './page-churn.ts';
import { eachAtOnce, getPage, heldAt, readPages, versionMap } from './paging.ts';

let fleet: Fleet<'member1' | 'member2' | 'member3'>;
let members: Member[];

/** Pods take longer to make, so that they are for long runs. */
const resource = process.env['PAGES_RESOURCE'] ?? 'configmaps';
const objects = `/api/v1/namespaces/default/${resource}`;
const counts = [3_000, 3_000, 4_000];

const objectOf = (name: string) =>
  resource === 'pods'
    ? { kind: 'Pod', apiVersion: 'v1', metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    : { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, labels: { odd: String(name.endsWith('1')) } } };
const make = ({ api }: Member, name: string) =>
  api.object(objects, { method: 'POST', body: objectOf(name), timeout: 60_000 });

beforeAll(async () => {
  fleet = await startFleet({
    member1: { version: 'newest', nodes: 0 },
    member2: { version: 'older', nodes: 0 },
    member3: { version: 'newest', nodes: 0 },
  });
  members = Object.values(fleet.members);
  await Promise.all(
    members.map((member, index) => {
      const names = Array.from({ length: counts[index]! }, (_, n) => `o-${String(n).padStart(5, '0')}`);
      return eachAtOnce(names, 24, (name) => make(member, name));
    }),
  );
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

async function expectWhole(pages: Awaited<ReturnType<typeof readPages>>, limit: number): Promise<void> {
  const version = pages[0]!.metadata.resourceVersion;
  const shown = pages.flatMap((page) => page.shown);
  // No duplicates, none missing, none too many: just what there was.
  expect(shown).toEqual(await heldAt(members, version, objects));
  expect(new Set(shown).size).toBe(shown.length);
  expect(new Set(pages.map(({ metadata }) => metadata.resourceVersion)).size).toBe(1);
  expect(pages.slice(0, -1).every((page) => page.shown.length === limit)).toBe(true);
  let left = shown.length;
  for (const { shown, metadata } of pages) {
    left -= shown.length;
    expect(metadata.remainingItemCount ?? 0).toBe(left);
  }
}

describe('PAGE-1: ten thousand objects by 500, while they change', () => {
  test.each([
    ['objects', undefined],
    ['a Table', 'application/json;as=Table;v=v1;g=meta.k8s.io'],
    ['LIST-8: PartialObjectMetadataList', 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'],
  ])('%s', async (_, accept) => {
    await using _churn = churn(members, { objects, objectOf, make });
    const pages = await readPages(() => fleet.product, `${objects}?limit=500`, accept ? { accept } : {});
    expect(pages.length).toBeGreaterThanOrEqual(20);
    expect(Object.keys(versionMap(pages[0]!.metadata.resourceVersion))).toEqual(['member1', 'member2', 'member3']);
    await expectWhole(pages, 500);
  });

  test('with a selector: no count, no empty page', async () => {
    if (resource !== 'configmaps') return;
    const pages = await readPages(() => fleet.product, `${objects}?limit=100&labelSelector=odd%3Dtrue`);
    const sizes = pages.map(({ shown }) => shown.length);
    expect(sizes.slice(0, -1).every((size) => size === 100)).toBe(true);
    expect(sizes.at(-1)).toBeGreaterThan(0);
    const held = await heldAt(members, pages[0]!.metadata.resourceVersion, objects, '&labelSelector=odd%3Dtrue');
    expect(held.length).toBeGreaterThan(500);
    expect(pages.flatMap((page) => page.shown)).toEqual(held);
  });

  test('kubectl get --chunk-size shows the same as all at once', async () => {
    const get = (size: number) => fleet.product.kubectl('get', resource, '-o', 'name', `--chunk-size=${size}`);
    const [chunked, whole] = [await get(700), await get(0)];
    expect(chunked).toEqual(whole);
    expect(chunked.stdout.split('\n').length).toBeGreaterThan(9_000);
    const table = await fleet.product.kubectl('get', resource, '--chunk-size=900');
    expect(table.stderr).toBe('');
    expect(table.stdout.trimEnd().split('\n')).toHaveLength(whole.stdout.trimEnd().split('\n').length + 1);
  });

  test('LIST-9: gzip from 128 KiB, for who accepts it', async () => {
    const gzip = { 'accept-encoding': 'gzip' };
    const large = await getPage(fleet.product, `${objects}?limit=2000`, gzip);
    expect(large.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(large.shown).toHaveLength(2_000);
    const small = await getPage(fleet.product, `${objects}?limit=2`, gzip);
    expect(small.headers['content-encoding']).toBeUndefined();
  });
});

describe('PAGE-2: tokens', () => {
  test('outlive a restart of the server', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'fleet-pages-'));
    const start = () => startProduct({ controlPlane: fleet.controlPlane, dataDir });
    let product: Product = await start();
    try {
      const pages = await readPages(() => product, `${objects}?limit=2000`, {
        async afterEach(count) {
          if (count !== 2) return;
          await product[Symbol.asyncDispose]();
          product = await start();
        },
      });
      await expectWhole(pages, 2_000);
    } finally {
      await product[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true });
    }
  });

  test('forged, damaged, or given for something else: 400', async () => {
    const { metadata } = await getPage(fleet.product, `${objects}?limit=2`);
    const token = metadata.continue!;
    const forged = Buffer.from('{"v":"meta.k8s.io/v1","rv":5,"start":"a"}').toString('base64url');
    for (const path of [
      `${objects}?limit=2&continue=${forged}`,
      `${objects}?limit=2&continue=${token.slice(0, -6)}`,
      `${objects}?limit=2&continue=${token.slice(0, 40)}AAAA${token.slice(44)}`,
      `${objects}?limit=2&labelSelector=a&continue=${token}`,
      `/api/v1/namespaces/default/secrets?limit=2&continue=${token}`,
    ]) {
      const { code, body } = await getPage(fleet.product, path);
      expect({ code, reason: body.reason, message: body.message }, path).toEqual({
        code: 400,
        reason: 'BadRequest',
        message: 'invalid continue token: continue key is not valid',
      });
    }
  });

  test('expired: 410, with a token that goes on as things are now', async () => {
    // The cache still has what the member forgets.
    const live = isCached ? '&consistent=true' : '';
    const { metadata } = await getPage(fleet.product, `${objects}?limit=4000${live}`);
    const next = (token: string) => getPage(fleet.product, `${objects}?limit=20000&continue=${token}${live}`);
    await make(fleet.members.member2, 'z-after');
    await fleet.members.member2.faults.forget();
    const expired = await until('the page has expired', async () => {
      const page = await next(metadata.continue!);
      return page.code === 410 && page;
    });
    expect(expired.body).toMatchObject({
      reason: 'Expired',
      message: expect.stringContaining('or use the continue token in this response'),
    });
    const rest = await next(expired.metadata.continue!);
    expect(rest.code).toBe(200);
    expect(rest.shown).toContain('z-after@member2');
    expect(rest.metadata.continue).toBeUndefined();
    const before = versionMap(metadata.resourceVersion);
    const after = versionMap(rest.metadata.resourceVersion);
    expect(after['member1']).toBe(before['member1']);
    expect(Number(after['member2'])).toBeGreaterThan(Number(before['member2']));
  });
});

describe('RV-6: what kube-apiserver answers to a list’s parameters', () => {
  test.each([
    'limit=a',
    'limit=',
    'resourceVersionMatch=Exact',
    'resourceVersionMatch=Exact&resourceVersion=0',
    'resourceVersionMatch=Some&resourceVersion=1',
    'resourceVersionMatch=Exact&resourceVersion=1&continue=x',
    'resourceVersionMatch=x&sendInitialEvents=true',
    'sendInitialEvents=false',
    'continue=x',
  ])('%s', async (query) => {
    const own = await fleet.members.member1.api.ask(`${objects}?${query}`);
    const ours = await getPage(fleet.product, `${objects}?${query}`);
    const expected = JSON.parse(own.body);
    // Why the token is not valid is worded by each server itself.
    if (query === 'continue=x') expected.message = 'invalid continue token: continue key is not valid';
    expect({ code: ours.code, body: ours.body }).toEqual({ code: own.code, body: expected });
  });

  test('newer than anything known: 504, soon to be asked again', async () => {
    const { metadata } = await getPage(fleet.product, `${objects}?limit=1`);
    const future = { ...versionMap(metadata.resourceVersion), member2: '99999999' };
    const version = Buffer.from(JSON.stringify(future)).toString('base64url');
    for (const how of ['', '&resourceVersionMatch=NotOlderThan', '&resourceVersionMatch=Exact', '&limit=5']) {
      const { code, body, headers } = await getPage(fleet.product, `${objects}?resourceVersion=${version}${how}`);
      expect({ code, reason: body.reason, retry: headers['retry-after'] }, how).toEqual({
        code: 504,
        reason: 'Timeout',
        retry: '1',
      });
      expect(body.details, how).toMatchObject({
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      });
    }
  });

  test('Exact reads back what was; without an entry it is 410', async () => {
    const { metadata } = await getPage(fleet.product, `${objects}?limit=1`);
    await make(fleet.members.member3, 'y-later');
    const exact = await getPage(
      fleet.product,
      `${objects}?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`,
    );
    expect(exact.metadata.resourceVersion).toBe(metadata.resourceVersion);
    expect(exact.shown).not.toContain('y-later@member3');
    const { member3: _, ...two } = versionMap(metadata.resourceVersion);
    const less = Buffer.from(JSON.stringify(two)).toString('base64url');
    for (const version of [less, '5']) {
      const { code } = await getPage(fleet.product, `${objects}?resourceVersion=${version}&resourceVersionMatch=Exact`);
      expect(code).toBe(410);
      expect((await getPage(fleet.product, `${objects}?limit=1&resourceVersion=${version}`)).code).toBe(200);
    }
  });
});

describe('LIST-8: forms of a list', () => {
  test('the form of one object is 406, as in the members', async () => {
    const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
    const { code, body } = await getPage(fleet.product, `${objects}?limit=1`, { accept });
    expect({ code, reason: body.reason }).toEqual({ code: 406, reason: 'NotAcceptable' });
    expect(body.message).toMatch(/^you requested PartialObjectMetadata, but the requested object is a list/);
  });

  test('metadata of all members', async () => {
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    const { code, body, shown } = await getPage(fleet.product, '/api/v1/namespaces', { accept });
    expect({ code, kind: body.kind }).toEqual({ code: 200, kind: 'PartialObjectMetadataList' });
    expect(shown).toEqual(expect.arrayContaining(['default@member1', 'default@member2', 'default@member3']));
  });
});

describe('negative controls', () => {
  const shownBy = async (product: Product) => {
    const pages = await readPages(() => product, `${objects}?limit=2500`);
    return { pages, held: await heldAt(members, pages[0]!.metadata.resourceVersion, objects) };
  };

  test('a page that drops an item at its end is noticed', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/merge/page.ts',
      from: 'if (fitting.length > 0) yield fitting;',
      to: 'if (fitting.length > 0) yield this.capacity === 0 ? fitting.slice(1) : fitting;',
    });
    const { pages, held } = await shownBy(product);
    expect(pages.flatMap(({ shown }) => shown)).not.toEqual(held);
  });

  test('a token that forgets a cluster is noticed', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/merge/open-page.ts',
      from: 'const { left, own } = await page.rest();',
      to: 'const { left: all, own } = await page.rest(); const left = all.slice(0, 1);',
    });
    const { pages, held } = await shownBy(product);
    expect(pages.flatMap(({ shown }) => shown)).not.toEqual(held);
  });
});

describe('PAGE-3: a cluster leaves between two pages', () => {
  test('410, whether its items were sent or not', async () => {
    const { metadata } = await getPage(fleet.product, `${objects}?limit=10`);
    const { code, stderr } = await fleet.product.fleet('unjoin', 'member3', '--force');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const gone = await until('the cluster is gone', async () => {
      const page = await getPage(fleet.product, `${objects}?limit=10&continue=${metadata.continue}`);
      return page.code === 410 && page;
    });
    expect(gone.body).toMatchObject({ reason: 'Expired', message: expect.stringContaining('"member3"') });
  });
});
