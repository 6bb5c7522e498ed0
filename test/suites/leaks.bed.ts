/** Many requests and watches, ended well and badly: afterwards the product holds no more than before (LIMIT-2). */

import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, memberProxy, startFleet } from './fleet.ts';

let fleet: Fleet<'member1'>;

beforeAll(async () => {
  fleet = await startFleet({ member1: { version: 'newest', workloads: true } });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const door = memberProxy('member1');
const configMaps = '/api/v1/namespaces/default/configmaps';

const agentOf = ({ ca, admin }: Product, maxSockets: number) =>
  new Agent({ keepAlive: true, maxSockets, ca, ...admin });

/** Sends; the answer has begun when this returns. */
async function open({ ca, admin, server }: Product, agent: Agent | false, path: string) {
  const asking = request(new URL(`${door}${path}`, server), { agent, ca, ...admin });
  asking.end();
  const [response] = await once(asking, 'response');
  return { asking, response };
}

/** So many at a time, until all are done. */
async function inParallel(count: number, width: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

async function requests(product: Product, count: number): Promise<void> {
  const agent = agentOf(product, 32);
  await inParallel(count, 32, async () => {
    const { response } = await open(product, agent, '/version');
    response.resume();
    await once(response, 'end');
    expect(response.statusCode).toBe(200);
  });
  agent.destroy();
}

/** All are open at the same time; then half are cut, and half end by themselves, at their `timeoutSeconds`. */
async function watches(product: Product, count: number): Promise<void> {
  const agent = agentOf(product, Number.POSITIVE_INFINITY);
  const ending: Promise<unknown>[] = [];
  const cut: (() => void)[] = [];
  await inParallel(count, 50, async (index) => {
    const isCut = index % 2 === 0;
    const { response } = await open(product, agent, `${configMaps}?watch=true${isCut ? '' : '&timeoutSeconds=8'}`);
    response.on('error', () => {});
    response.resume();
    if (isCut) cut.push(() => response.socket.destroy());
    else ending.push(once(response, 'end'));
  });
  for (const end of cut) end();
  await Promise.all(ending);
  agent.destroy();
}

/** Lists and execs whose client is gone before the end. */
async function aborted(product: Product, count: number): Promise<void> {
  await inParallel(count, 20, async () => {
    const { asking, response } = await open(product, false, '/openapi/v2');
    response.on('error', () => {});
    asking.destroy();
  });
  await inParallel(count / 4, 10, async () => {
    const { ca, admin, server } = product;
    const url = new URL(`${door}/api/v1/namespaces/default/pods/x/exec?command=sleep&command=60&stdout=true`, server);
    const headers = {
      ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
      ...{ 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-protocol': 'v4.channel.k8s.io' },
    };
    const asking = request(url, { agent: false, headers, ca, ...admin });
    asking.end();
    const [, socket] = await once(asking, 'upgrade');
    socket.destroy();
  });
}

/** Collected by further requests, as in life: nothing asks the collector for it. */
async function held(product: Product) {
  await requests(product, 300);
  const folder = `/proc/${product.pid}/fd`;
  const count = async () => {
    const names = await readdir(folder);
    const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => 'gone')));
    const files = links.filter((link) => link !== 'gone');
    return { files: files.length, sockets: files.filter((link) => link.startsWith('socket:')).length };
  };
  const status = await readFile(`/proc/${product.pid}/status`, 'utf8');
  return { ...(await count()), megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024 };
}

async function round(product: Product, [asked, watched, left]: readonly [number, number, number]) {
  await requests(product, asked);
  await watches(product, watched);
  await aborted(product, left);
  // connections that were cut are gone from both sides in a moment
  let last = await held(product);
  await until(
    'what is held settles',
    async () => {
      const now = await held(product);
      const settled = now.sockets === last.sockets;
      last = now;
      return settled;
    },
    { timeout: 20_000 },
  );
  return last;
}

describe('10 000 requests and 2 000 watches in two rounds, half of the watches cut', () => {
  test('the second leaves nothing that the first has not', { timeout: 120_000 }, async () => {
    const amount = [5_000, 1_000, 100] as const;
    const first = await round(fleet.product, amount);
    const second = await round(fleet.product, amount);
    console.log({ first, second });
    expect(second.sockets).toBeLessThanOrEqual(first.sockets + 20);
    expect(second.files).toBeLessThanOrEqual(first.files + 20);
    expect(second.megabytes).toBeLessThan(first.megabytes * 1.2 + 20);
  });

  test('negative control: a product that goes on watching for clients who are gone is noticed', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/pass/pass.ts',
      from: 'const given = abortingWith(incoming.signal);',
      to: 'const given = new AbortController();',
    });
    const first = await round(product, [100, 100, 4]);
    const second = await round(product, [100, 100, 4]);
    expect(second.sockets).toBeGreaterThan(first.sockets + 40);
  });
});
