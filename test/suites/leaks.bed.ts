/** Many requests and watches, ended well and badly: afterwards the product holds no more than before (LIMIT-2). */

import { heapFlags, openHeap } from '@fleet/bed/heap.ts';
import { atRest, type Holder, held, settled } from '@fleet/bed/held.ts';
import { requests, sendMany, type Target } from '@fleet/bed/many-requests.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, memberProxy, startFleet } from './fleet.ts';

let fleet: Fleet<'member1'>;
const running = new AsyncDisposableStack();

beforeAll(async () => {
  fleet = await startFleet({ member1: { version: 'newest', workloads: true } });
});

afterAll(async () => {
  await running.disposeAsync();
  await fleet?.[Symbol.asyncDispose]();
});

const targetOf = ({ server, ca, admin }: Product): Target => ({ server, ca, admin, path: memberProxy('member1') });

async function start(mutant?: Mutant): Promise<{ target: Target; holder: Holder }> {
  const { controlPlane } = fleet;
  const product = running.use(await startProduct({ controlPlane, nodeFlags: heapFlags, ...(mutant && { mutant }) }));
  return { target: targetOf(product), holder: { pid: product.pid, heap: running.use(await openHeap(product)) } };
}

describe('10 000 requests and 1 000 watches, half of them cut', () => {
  test('leave no sockets, files or memory', { timeout: 360_000 }, async () => {
    const { target, holder } = await start();
    await requests(target, 100);
    const fresh = await held(holder);
    // what is compiled and cached once is no leak; as many watches at once as later, for the same high water
    await sendMany(target, { requests: 1_000, watches: 1_000, aborted: 40 });
    const before = await atRest(holder, fresh);
    await sendMany(target, { requests: 10_000, watches: 1_000, aborted: 40 });
    const after = await atRest(holder, fresh);
    console.log({ fresh, before, after });
    expect(after.files).toBeLessThanOrEqual(fresh.files + 4);
    // 200 bytes for each request, or 2 kB for each watch, would show
    expect(after.heap).toBeLessThan(before.heap + 2);
    // Freed memory goes back to the machine late and in part: this is for what no collection sees.
    expect(after.resident).toBeLessThan(before.resident * 1.25 + 10);
  });

  test('negative control: a product that goes on watching for clients who are gone is noticed', async () => {
    const { target, holder } = await start({
      file: 'server/src/pass/pass.ts',
      from: 'const given = abortingWith(incoming.signal);',
      to: 'const given = new AbortController();',
    });
    const amount = { requests: 100, watches: 100, aborted: 4 };
    await sendMany(target, amount);
    const before = await settled(holder);
    await sendMany(target, amount);
    expect((await settled(holder)).sockets).toBeGreaterThan(before.sockets + 40);
  });

  test('negative control: a product that keeps 200 bytes of each request is noticed', {
    timeout: 360_000,
  }, async () => {
    const { target, holder } = await start({
      file: 'server/src/pass/pass.ts',
      from: 'const given = abortingWith(incoming.signal);',
      to: 'const given = abortingWith(incoming.signal); (globalThis.kept ??= []).push(new Uint8Array(200));',
    });
    await sendMany(target, { requests: 1_000, watches: 20, aborted: 4 });
    const before = await settled(holder);
    await sendMany(target, { requests: 10_000, watches: 20, aborted: 4 });
    expect((await settled(holder)).heap).toBeGreaterThan(before.heap + 2);
  });
});
