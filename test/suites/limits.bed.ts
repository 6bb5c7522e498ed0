/** What the product takes at most, and how it ends (LIMIT-1). */

import { once } from 'node:events';
import { connect } from 'node:http2';
import { text } from 'node:stream/consumers';
import type { Member } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import type { Product } from '@fleet/bed/product.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memberProxy } from './fleet.ts';
import { ask, begin, Front } from './front.ts';

let front: Front;
let member1: Member;
let product: Product;

beforeAll(async () => {
  front = await Front.open();
  ({ member1 } = front);
  product = await front.start({ flags: ['--max-requests-inflight', '3'] });
  await product.join(member1);
});

afterAll(() => front?.[Symbol.asyncDispose]());

describe('LIMIT-1: sizes and numbers', () => {
  const values = Array.from({ length: 1000 }, (_, i) => `${i}`.padStart(60, 'v')).join(',');
  const longUrl = `/clusterspaces/member1/api/v1/pods?labelSelector=a%20in%20(${values})`;

  test('RV-7: a URL of 60 KiB reaches a member over HTTP/1.1 and HTTP/2; one above 64 KiB is 414', async () => {
    expect(longUrl.length).toBeGreaterThan(60_000);
    expect((await ask(product, longUrl)).code).toBe(200);
    const session = connect(product.server, { ca: product.ca, ...product.admin });
    try {
      const stream = session.request({ ':path': longUrl });
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
      expect(headers[':status']).toBe(200);
      expect(JSON.parse(await text(stream)).kind).toBe('PodList');
    } finally {
      session.destroy();
    }
    const tooLong = await ask(product, `${longUrl}${values}`.slice(0, 70_000));
    expect({ code: tooLong.code, kind: JSON.parse(String(tooLong.body)).kind }).toEqual({ code: 414, kind: 'Status' });
  });

  test('one request too many is 429 with Retry-After; watches and health are not counted', async () => {
    const one = `${memberProxy('member1')}/api/v1/namespaces/default`;
    const watches = await Promise.all(
      Array.from({ length: 5 }, () => begin(product, '/clusterspaces/member1/api/v1/namespaces?watch=1')),
    );
    member1.faults.freeze();
    try {
      const answers = Array.from({ length: 8 }, () => ask(product, one));
      const refused = await Promise.any(answers);
      expect(refused).toMatchObject({ code: 429, headers: { 'retry-after': '1' } });
      expect(JSON.parse(String(refused.body))).toMatchObject({ kind: 'Status', reason: 'TooManyRequests' });
      expect((await ask(product, '/healthz')).code).toBe(200);
      member1.faults.thaw();
      const codes = (await Promise.all(answers)).map(({ code }) => code).sort();
      expect(codes).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    } finally {
      member1.faults.thaw();
      for (const watch of watches) watch.destroy();
    }
    expect((await ask(product, one)).code).toBe(200);
  });
});

describe('LIMIT-1: SIGTERM', () => {
  /** What a fresh product does when it is told to end, with two watches and a write under way. */
  async function drained(mutant?: Mutant) {
    const ending = await front.start({ flags: ['--shutdown-grace', '5s'], ...(mutant ? { mutant } : {}) });
    const path = '/clusterspaces/member1/api/v1/namespaces?watch=1&timeoutSeconds=600';
    const watch = await begin(ending, path);
    const session = connect(ending.server, { ca: ending.ca, ...ending.admin });
    const goaway = once(session, 'goaway');
    const stream = session.request({ ':path': path });
    await once(stream, 'response');
    const whole = (body: Promise<string>) =>
      body.then(
        (events) => events.endsWith('\n'),
        () => false,
      );
    const watches = Promise.all([whole(text(watch)), whole(text(stream))]);
    member1.faults.freeze();
    const write = ask(ending, '/clusterspaces/member1/api/v1/namespaces/default/configmaps', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 28 },
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const told = performance.now();
    ending.signal('SIGTERM');
    const cleanly = await watches;
    const watchesEnded = performance.now() - told;
    member1.faults.thaw();
    const { code } = await write.catch(() => ({ code: 0 }));
    await goaway;
    const end = await ending.ended;
    await member1.kubectl('delete', 'configmap', 'held', '--ignore-not-found');
    return { cleanly, watchesEnded, code, end: end.message };
  }

  test('watches end cleanly and at once, the write under way finishes, the process exits with 0', async () => {
    const { cleanly, watchesEnded, code, end } = await drained();
    expect(cleanly).toEqual([true, true]);
    expect(watchesEnded).toBeLessThan(2_000);
    expect(code).toBe(201);
    expect(end).toMatch(/^fleet-serve ended \(exit code 0\)/);
  });

  test('negative control: watches that nobody ends are cut off', async () => {
    const mutant = { file: 'server/src/limits/drain.ts', from: 'for (const end of ending.open) end();', to: '' };
    const { cleanly, watchesEnded } = await drained(mutant);
    // Node's HTTP/2 client takes a connection that breaks after GOAWAY for an end.
    expect(cleanly[0]).toBe(false);
    expect(watchesEnded).toBeGreaterThan(4_000);
  });
});
