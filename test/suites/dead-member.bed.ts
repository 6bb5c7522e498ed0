/** One member hangs or is dead: what lists, pages, reads and writes without a cluster return meanwhile (LIST-4, LIST-7, PAGE-3). */

import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from './fleet.ts';

let fleet: Fleet<'member1' | 'member2' | 'member3'>;
let agent: Agent;

const configMaps = '/api/v1/namespaces/default/configmaps';
const mine = `${configMaps}?labelSelector=mine`;
const perMember = 5;

beforeAll(async () => {
  fleet = await startFleet({
    member1: { version: 'newest', nodes: 0 },
    member2: { version: 'older', nodes: 0 },
    member3: { version: 'newest', nodes: 0 },
  });
  const { ca, admin } = fleet.product;
  agent = new Agent({ keepAlive: true, ca, ...admin });
  for (const { name, api } of Object.values(fleet.members)) {
    const names = [`only-${name}`, ...Array.from({ length: perMember - 1 }, (_, i) => `item-${i}`)];
    for (const one of names) {
      const body = { metadata: { name: one, labels: { mine: 'yes' } }, data: { by: 'nobody' } };
      await api.object(configMaps, { method: 'POST', body });
    }
  }
});

afterAll(async () => {
  agent?.destroy();
  await fleet?.[Symbol.asyncDispose]();
});

interface Heard {
  code: number;
  warnings: string;
  retryAfter: string | undefined;
  body: { message?: string; kind?: string; metadata: { continue?: string }; items?: Item[]; rows?: { object: Item }[] };
  milliseconds: number;
}

interface Item {
  metadata: { name: string };
}

interface Asked {
  product?: Product;
  method?: string;
  accept?: string;
  body?: object;
}

async function ask(
  path: string,
  { product = fleet.product, method = 'GET', accept, body }: Asked = {},
): Promise<Heard> {
  const begun = performance.now();
  const headers = {
    ...(accept ? { accept } : {}),
    ...(body ? { 'content-type': 'application/merge-patch+json' } : {}),
  };
  const { ca, admin } = product;
  const own = product === fleet.product ? { agent } : { ca, ...admin };
  const asking = request(new URL(path, product.server), {
    method,
    headers,
    signal: AbortSignal.timeout(30_000),
    ...own,
  });
  asking.end(body && JSON.stringify(body));
  const [response] = await once(asking, 'response');
  return {
    code: response.statusCode,
    warnings: String(response.headers['warning'] ?? ''),
    retryAfter: response.headers['retry-after'],
    body: JSON.parse(await text(response)),
    milliseconds: performance.now() - begun,
  };
}

const namesIn = ({ body }: Heard): string[] =>
  (body.items ?? body.rows?.map(({ object }) => object) ?? []).map(({ metadata }) => metadata.name);

const clustersIn = (heard: Heard): string[] => [
  ...new Set(namesIn(heard).map((name) => name.split('.clusterspace.')[1] ?? '')),
];

const forms = {
  objects: 'application/json',
  metadata: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  table: 'application/json;as=Table;v=v1;g=meta.k8s.io',
};

const becomes = (status: string) =>
  until(
    `member2 is ${status}`,
    async () => {
      const { body } = await ask('/apis/cluster.karmada.io/v1alpha1/clusters/member2');
      const { conditions = [] } =
        (body as { status?: { conditions?: { type: string; status: string }[] } }).status ?? {};
      return conditions.some((one) => one.type === 'Ready' && one.status === status);
    },
    { timeout: 90_000 },
  );

/** Names the member, and client-go gets no Retry-After. */
const missing = { code: 503, retryAfter: undefined, body: { message: expect.stringContaining('"member2"') } };
/** What deadlines allow, and a machine with other work. */
const patience = 8_000;

async function expectPartial(heard: Heard): Promise<void> {
  expect(heard).toMatchObject({ code: 200, warnings: expect.stringMatching(/^299 .*"member2\\?"/) });
  expect(clustersIn(heard)).toEqual(['member1', 'member3']);
}

const faults = {
  hangs: {
    begin: async () => fleet.members.member2.faults.freeze(),
    end: async () => fleet.members.member2.faults.thaw(),
  },
  'is dead': { begin: () => fleet.members.member2.faults.kill(), end: () => fleet.members.member2.faults.start() },
};

describe.each(['hangs', 'is dead'] as const)('a member that %s', (fault) => {
  let pages: Record<'objects' | 'table', Heard>;

  beforeAll(async () => {
    await becomes('True');
    const [objects, table] = await Promise.all(
      [forms.objects, forms.table].map((accept) => ask(`${mine}&limit=${perMember}`, { accept })),
    );
    pages = { objects: objects!, table: table! };
    await faults[fault].begin();
  });

  let isBack = false;
  afterAll(async () => {
    if (!isBack) await faults[fault].end();
  });

  test('LIST-4 LIST-8: lists of all forms, partial=true, partial=false and neither', async () => {
    // At once, while it is not known yet.
    const [objects, metadata, table, partly, partlyMetadata, strict] = (await Promise.all([
      ...[forms.objects, forms.metadata, forms.table].map((accept) => ask(mine, { accept })),
      ...[forms.objects, forms.metadata].map((accept) => ask(`${mine}&partial=true`, { accept })),
      ask(`${mine}&partial=false`, { accept: forms.table }),
    ])) as [Heard, Heard, Heard, Heard, Heard, Heard];
    for (const heard of [objects, metadata, strict]) expect(heard).toMatchObject(missing);
    for (const heard of [table, partly, partlyMetadata]) await expectPartial(heard);
    expect(partlyMetadata.body.kind).toBe('PartialObjectMetadataList');
    for (const heard of [objects, metadata, table, partly, strict]) expect(heard.milliseconds).toBeLessThan(patience);
  });

  test('LIST-7: a read that another member answers has a warning; one that none answers is 503', async () => {
    const [found, lost] = await Promise.all([ask(`${configMaps}/only-member1`), ask(`${configMaps}/only-member2`)]);
    expect(found).toMatchObject({ code: 200, warnings: expect.stringMatching(/^299 .*member2/) });
    expect(lost).toMatchObject(missing);
    expect(Math.max(found.milliseconds, lost.milliseconds)).toBeLessThan(patience);
  });

  test('LIST-7: a write without a cluster is 503, with a message that names one, and is not done', async () => {
    const path = `${configMaps}/only-member1`;
    const [patched, deleted] = await Promise.all([
      ask(path, { method: 'PATCH', body: { data: { by: 'somebody' } } }),
      ask(path, { method: 'DELETE' }),
    ]);
    for (const heard of [patched, deleted]) {
      expect(heard).toMatchObject(missing);
      expect(heard.body.message).toContain('name the cluster, as in "only-member1.clusterspace.{cluster}"');
    }
    const { data } = await fleet.members.member1.api.object<{ data: object }>(path);
    expect(data).toEqual({ by: 'nobody' });
    const named = await ask(`${path}.clusterspace.member1`, { method: 'PATCH', body: { data: { by: 'nobody' } } });
    expect(named.code).toBe(200);
  });

  test('PAGE-1: the next page of objects is 503, never a shorter list; that of a Table has the others', async () => {
    const next = (form: 'objects' | 'table') =>
      ask(`${mine}&limit=${perMember}&continue=${pages[form].body.metadata.continue}`, { accept: forms[form] });
    expect(clustersIn(pages.objects)).toEqual(['member1']);
    const [objects, table] = await Promise.all([next('objects'), next('table')]);
    expect(objects).toMatchObject(missing);
    expect(table).toMatchObject({ code: 200, warnings: expect.stringMatching(/^299 .*member2/) });
    expect(clustersIn(table)).toEqual(['member3']);
  });

  test('LIST-4: once it is known, lists of the others are as fast as without it', async () => {
    await becomes('False');
    const without = encodeURIComponent('mine,clusterspace!=member2');
    const [withIt, withoutIt]: [number[], number[]] = [[], []];
    for (let round = 0; round < 25; round++) {
      const partly = await ask(`${mine}&partial=true`);
      await expectPartial(partly);
      withIt.push(partly.milliseconds);
      const others = await ask(`${configMaps}?labelSelector=${without}`);
      expect({ code: others.code, clusters: clustersIn(others) }).toEqual({
        code: 200,
        clusters: ['member1', 'member3'],
      });
      withoutIt.push(others.milliseconds);
    }
    const ratio = median(withIt) / median(withoutIt);
    console.log({ fault, withIt: median(withIt), withoutIt: median(withoutIt), ratio });
    expect(ratio).toBeLessThan(3);
    expect(median(withIt)).toBeLessThan(500);
  });

  test('PAGE-1: the same token leads on when it is back', async () => {
    await faults[fault].end();
    isBack = true;
    await becomes('True');
    const rest = await ask(`${mine}&limit=100&continue=${pages.objects.body.metadata.continue}`);
    expect(rest.code).toBe(200);
    expect(namesIn(rest)).toHaveLength(2 * perMember);
    expect(clustersIn(rest)).toEqual(['member2', 'member3']);
  });
});

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;

describe('negative controls', () => {
  afterAll(() => fleet.members.member2.faults.thaw());

  test('a product that writes while a member is silent is noticed', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/find/find.ts',
      from: 'if (silent.length > 0 && !(cluster !== undefined && isRead(request))) {',
      to: 'if (silent.length > 0 && cluster === undefined) {',
    });
    fleet.members.member2.faults.freeze();
    const path = `${configMaps}/only-member1`;
    const { code } = await ask(path, { product, method: 'PATCH', body: { data: { by: 'nobody' } } });
    expect(code).toBe(200);
  });
});
