/**
 * A member that means harm: endless, huge, wrong, slow and redirecting answers to every kind of request (SEC-1, SEC-2). The
 * product's memory is bounded, and nobody who asks another member notices. Needs no cluster.
 */

import { EmbeddedControlPlane } from '@fleet/bed/embedded-control-plane.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { createAuthority } from '@fleet/bed/pki.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Attack,
  attackBy,
  codesOf,
  mib,
  mostMemory,
  objectSize,
  residentOf,
  timeout,
} from './hostile-member/attack.ts';
import { type Conduct, largeObjectSize } from './hostile-member/behaviours.ts';
import { FakeMember } from './hostile-member/fake-member.ts';
import { register } from './hostile-member/register.ts';
import { ask, type Kind, kinds, oneOf } from './hostile-member/requests.ts';

const started = new AsyncDisposableStack();
let controlPlane: EmbeddedControlPlane;
let product: Product;
let hostile: FakeMember;
let well: FakeMember;

const serve = (mutant?: Mutant) =>
  startProduct({
    controlPlane,
    flags: ['--max-member-object-size', String(objectSize)],
    ...(mutant ? { mutant, sharesControlPlane: true } : {}),
  });

beforeAll(async () => {
  const authority = await createAuthority('members');
  hostile = started.use(await FakeMember.start('hostile', authority));
  well = started.use(await FakeMember.start('well', authority));
  controlPlane = started.use(await EmbeddedControlPlane.start());
  product = started.use(await serve());
  for (const member of [hostile, well]) await register(product, member, authority.cert);
  await bothServe(product);
});

afterAll(() => started.disposeAsync());

async function bothServe({ api }: Product): Promise<void> {
  const isThere = async (member: string) => (await api.ask(oneOf(member))).code === 200;
  await until('both members are there', async () => (await isThere('hostile')) && (await isThere('well')));
}

const attack = (to: Product, conduct: Conduct, upgradeAnswer?: string) => attackBy(hostile, to, conduct, upgradeAnswer);

/** What holds whatever the member does. */
function isBorne({ outcomes, memory, others }: Attack): void {
  expect(memory).toBeLessThan(mostMemory);
  expect(others.codes).toEqual(new Set([200]));
  expect(others.slowest).toBeLessThan(3_000);
  const odd = outcomes.filter(([, { code, headers }]) => code === 500 || 'location' in headers);
  expect(odd).toEqual([]);
}

const garbage: Kind[] = ['named', 'one review'];

describe(`SEC-2: ${Object.keys(kinds).length} kinds of requests to a member that means harm`, {
  timeout,
}, () => {
  test.each([
    ['endless', 'endless'],
    ['huge', 'huge'],
    ['bytes one by one', 'drizzling'],
    ['heads without end', 'headless'],
    ['wrong', 'wrong'],
    ['slow', 'slow'],
  ] as const)('%s answers', async (name, conduct) => {
    const outcome = await attack(product, conduct);
    const { memory, others, turn } = outcome;
    console.log(name, Math.round(memory / mib), 'MiB, others', Math.round(others.slowest), 'ms, a turn', turn, 'ms');
    isBorne(outcome);
    await bothServe(product);
    if (conduct === 'endless' || conduct === 'huge') {
      for (const kind of garbage) expect([kind, codesOf(outcome, kind)]).toEqual([kind, new Set([502])]);
      expect(codesOf(outcome, 'review')).toEqual(new Set([201]));
      expect(codesOf(outcome, 'rules')).toEqual(new Set([201]));
    }
  });

  test('SEC-1: redirects to another member, upgrades too', async () => {
    const location = `${well.url}${oneOf('well')}`;
    const head = `HTTP/1.1 307 Temporary Redirect\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;
    const outcome = await attack(product, { redirectTo: well.url }, head);
    isBorne(outcome);
    await bothServe(product);
    for (const kind of [
      'named',
      'one review',
      'one list',
      'one watch',
      'upgrade',
      'log',
      'proxy',
      'bytes through',
    ] as const) {
      expect([kind, codesOf(outcome, kind)]).toEqual([kind, new Set([502])]);
    }
    for (const kind of ['list', 'table'] as const) {
      expect([kind, codesOf(outcome, kind)]).toEqual([kind, new Set([200])]);
    }
    // Initial events would be without a member.
    expect(codesOf(outcome, 'watch')).toEqual(new Set([503]));
  });

  test('SEC-2: whoever does not read large objects of a member does not keep others from them', async () => {
    await hostile.behave('escaped');
    const path = '/api/v1/namespaces/default/pods/web.clusterspace.hostile';
    const over = new AbortController();
    const bob = { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' };
    const unread = Array.from({ length: 10 }, () => ask(product, { path, headers: bob }, over.signal));
    // Those that have memory for it have begun.
    await Promise.race(unread.map(({ begun }) => begun));
    const read = async () => (await product.api.ask(path, { timeout: 60_000 })).body.length;
    const sizes = await Promise.all(Array.from({ length: 20 }, read));
    over.abort();
    await hostile.behave('well');
    expect(Math.min(...sizes)).toBeGreaterThan(largeObjectSize);
  });

  test('health, discovery and OpenAPI without end: it is not ready, and others are', async () => {
    await hostile.behave('endless health');
    await until('it is found out', async () => (await product.api.ask(oneOf('hostile'))).code === 503, {
      timeout: 60_000,
    });
    expect(residentOf(product)).toBeLessThan(mostMemory);
    expect((await product.api.ask(oneOf('well'))).code).toBe(200);
    expect((await product.api.ask('/apis')).code).toBe(200);
    await hostile.behave('well');
    await until('it is well again', async () => (await product.api.ask(oneOf('hostile'))).code === 200, {
      timeout: 60_000,
    });
  });
});

describe('negative controls', { timeout }, () => {
  test('a product that holds whatever comes is noticed', async () => {
    await using mutant = await serve({
      file: 'kube/src/growing-bytes.ts',
      from: 'if (length > this.limit) {',
      to: 'this.lease = undefined; if (length < 0) {',
    });
    await bothServe(mutant);
    expect((await attack(mutant, 'endless')).memory).toBeGreaterThan(mostMemory);
  });

  test('a product that passes redirects on is noticed', async () => {
    await using mutant = await serve({
      file: 'server/src/pass/redirect.ts',
      from: 'status >= 300 && status < 400',
      to: 'status >= 900',
    });
    await bothServe(mutant);
    const outcome = await attack(mutant, { redirectTo: well.url });
    expect(codesOf(outcome, 'named')).toContain(307);
    expect(() => isBorne(outcome)).toThrow();
  });
});
