/** What the product takes at most, and how it ends (LIMIT-1). */

import { once } from 'node:events';
import { connect } from 'node:http2';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Member } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
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
  const watchPath = '/clusterspaces/member1/api/v1/namespaces?watch=1&timeoutSeconds=600';

  /** Whether what came ends with an event, and the stream as it should. */
  const endsCleanly = (body: Readable): Promise<boolean> =>
    text(body).then(
      (events) => events.endsWith('\n'),
      () => false,
    );

  /** A write that the member does not answer until it thaws; it has been sent when this returns. */
  async function heldWrite(ending: Product): Promise<{ code: Promise<number> }> {
    member1.faults.freeze();
    const write = ask(ending, '/clusterspaces/member1/api/v1/namespaces/default/configmaps', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 28 },
    });
    const code = write.then(
      (answer) => answer.code,
      () => 0,
    );
    await until('the write is under way', async () =>
      String((await ask(ending, '/metrics')).body).includes('fleet_member_requests_in_flight{cluster="member1"} 1'),
    );
    return { code };
  }

  afterEach(async () => {
    member1.faults.thaw();
    await member1.kubectl('delete', 'configmap', 'held', '--ignore-not-found');
  });

  /** What a fresh product does when it is asked to end, with two watches and a write under way. */
  async function drained(mutant?: Mutant) {
    const ending = await front.start({ flags: ['--shutdown-grace', '5s'], ...(mutant ? { mutant } : {}) });
    const watch = await begin(ending, watchPath);
    const session = connect(ending.server, { ca: ending.ca, ...ending.admin });
    const goaway = once(session, 'goaway');
    const stream = session.request({ ':path': watchPath });
    await once(stream, 'response');
    const watches = Promise.all([endsCleanly(watch), endsCleanly(stream)]);
    const write = await heldWrite(ending);
    const signalled = performance.now();
    ending.signal('SIGTERM');
    const cleanly = await watches;
    const watchesEnded = performance.now() - signalled;
    member1.faults.thaw();
    const code = await write.code;
    await goaway;
    return { cleanly, watchesEnded, code, end: (await ending.ended).message };
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

  const delay = 5_000;
  const delayed = ['--shutdown-delay', `${delay}ms`];

  /** The health endpoints' codes from the signal on until the port closes, each on a connection of its own, and how long that is. */
  async function healthWhileEnding(ending: Product) {
    const codes = { readyz: new Set<number>(), healthz: new Set<number>() };
    const begun = performance.now();
    ending.signal('SIGTERM');
    await until('the port closes', async () => {
      for (const path of ['readyz', 'healthz'] as const) {
        const answer = await ask(ending, `/${path}`).catch(() => undefined);
        if (!answer) return true;
        codes[path].add(answer.code);
      }
      return false;
    });
    return { ...codes, lasted: performance.now() - begun };
  }

  test('--shutdown-delay: /readyz fails while everything else goes on, then it ends as ever', async () => {
    const ending = await front.start({ flags: delayed });
    const watch = await begin(ending, watchPath);
    const write = await heldWrite(ending);
    ending.signal('SIGTERM');
    await until('it is not ready', async () => (await ask(ending, '/readyz')).code === 503);
    expect((await ask(ending, '/livez')).code).toBe(200);
    member1.faults.thaw();
    expect(await write.code).toBe(201);
    expect((await ask(ending, '/clusterspaces/member1/api/v1/namespaces/default')).code).toBe(200);
    const late = await begin(ending, watchPath);
    expect(watch.readableEnded).toBe(false);
    expect(await Promise.all([endsCleanly(watch), endsCleanly(late)])).toEqual([true, true]);
    expect((await ending.ended).message).toMatch(/^fleet-serve ended \(exit code 0\)/);
  });

  test('negative controls: one that stays ready, and one that does not wait', async () => {
    const [usual, cheerful, hasty] = await Promise.all([
      front.start({ flags: delayed }),
      front.start({
        flags: delayed,
        mutant: { file: 'server/src/parts.ts', from: 'ready: () => !drain.begun', to: 'ready: () => true' },
      }),
      front.start({
        flags: delayed,
        mutant: { file: 'server/src/main.ts', from: 'await drain.announce(config.shutdownDelay);', to: '' },
      }),
    ]);
    const [graceful, wrong, short] = await Promise.all([usual, cheerful, hasty].map(healthWhileEnding));
    // The first ask may come before the signal.
    expect(graceful!.readyz).toContain(503);
    expect(graceful!.healthz).toEqual(new Set([200]));
    expect(graceful!.lasted).toBeGreaterThan(delay - 100);
    expect(wrong!.readyz).toEqual(new Set([200]));
    expect(short!.lasted).toBeLessThan(delay - 100);
  });
});
