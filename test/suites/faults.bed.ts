/** What a sick member does to its clients, and to nobody else (NAME-8, CLU-3). */

import { once } from 'node:events';
import { until } from '@fleet/bed/until.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { configMaps, outcome, SickFleet, sick, unreachable, well } from './sick-member.ts';

let fleet: SickFleet;

beforeAll(async () => {
  fleet = await SickFleet.start(1);
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const proxy = () => fleet.faults.proxy;
const ask: SickFleet['ask'] = (...args) => fleet.ask(...args);

const made = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

describe('NAME-8: a connection that fails at once', () => {
  afterEach(() => proxy().heal());

  test.each(['reset', 'refuse', 'corrupt'] as const)(
    '%s: 503 soon, others untouched, healed at once',
    async (fault) => {
      await fleet.worksAgain();
      await proxy()[fault]();
      await fleet.withOthersUntouched(async () => {
        for (let round = 0; round < 5; round++) {
          const heard = await ask(`${sick}${configMaps}`);
          expect(outcome(heard)).toEqual(unreachable);
          expect(heard.ms).toBeLessThan(2_000);
        }
      });
      await proxy().heal();
      await fleet.worksAgain();
    },
  );

  test('a write that did not reach it is 503; one that may have is 504, which nobody repeats', async () => {
    await proxy().refuse();
    expect(outcome(await ask(`${sick}${configMaps}`, made('unsent')))).toEqual(unreachable);
    await proxy().heal();
    // a connection that writes go over: through an agent those of lists are others (AGENT-5)
    expect((await ask(`${sick}${configMaps}`, made('first'))).code).toBe(201);
    // the question passes, the answer does not
    await proxy().truncate(1);
    expect(outcome(await ask(`${sick}${configMaps}`, made('sent')))).toEqual({
      code: 504,
      reason: 'Timeout',
      message: 'the connection to cluster "sick" broke; the request may have been carried out',
      retryAfter: undefined,
    });
    await proxy().heal();
    const { items } = JSON.parse((await ask(`${sick}${configMaps}`)).body) as {
      items: { metadata: { name: string } }[];
    };
    const names = items.map(({ metadata }) => metadata.name);
    expect(names).toContain('sent');
    expect(names).not.toContain('unsent');
  });

  test('LIST-1: an answer cut in the middle never looks whole', async () => {
    await fleet.worksAgain();
    await proxy().truncate(200_000);
    await expect(ask(`${sick}/openapi/v2`)).rejects.toThrow(/aborted|hang up/);
    await proxy().heal();
    expect(JSON.parse((await ask(`${sick}/openapi/v2`)).body)).toHaveProperty('paths');
  });

  test('an open watch breaks with its member, and another member’s goes on', async () => {
    const [broken, other] = [await fleet.watch(sick), await fleet.watch(well)];
    await proxy().reset();
    expect(await broken.ended).toBe('broken');
    await fleet.fleet.members.well.kubectl('create', 'configmap', 'during');
    await expect.poll(() => other.lines(), { timeout: 10_000 }).toContain('"during"');
    other.close();
    await proxy().heal();
    await fleet.worksAgain();
  });
});

describe('NAME-8: a member that is killed and started again', () => {
  test('its streams break, requests are 503 at once, and all is well when it is back', async () => {
    const at = { at: '/clusterspaces/sick' };
    const exec = fleet.fleet.product.startKubectl(at, 'exec', 'x', '--', 'sh', '-c', 'echo here; sleep 300');
    const logs = fleet.fleet.product.startKubectl(at, 'logs', '-f', 'x');
    const watching = await fleet.watch(sick);
    await Promise.all([exec, logs].map((stream) => once(stream.stdout, 'data')));
    const over = Promise.all([exec, logs].map((stream) => once(stream, 'close')));
    const begun = performance.now();
    await fleet.faults.kill();
    expect(await watching.ended).toBe('broken');
    // not 0, as if the command had ended well
    expect((await over)[0]).toEqual([1, null]);
    expect(performance.now() - begun).toBeLessThan(5_000);
    await fleet.withOthersUntouched(async () => {
      const heard = await ask(`${sick}${configMaps}`);
      expect(outcome(heard)).toEqual(unreachable);
      expect(heard.ms).toBeLessThan(2_000);
    });
    await fleet.faults.start();
    await fleet.worksAgain();
    const again = await fleet.watch(sick);
    again.close();
  });

  test('RV-1: one that has lost its history reports it itself, and a watch from now works', async () => {
    const list = async () => JSON.parse((await ask(`${sick}${configMaps}`)).body).metadata.resourceVersion as string;
    const before = await list();
    await ask(`${sick}${configMaps}`, made('after'));
    const watch = (version: string) =>
      ask(`${sick}${configMaps}?watch=true&timeoutSeconds=1&resourceVersion=${version}`);
    // A member that has just started may take longer than a watch lasts.
    await until('the watch has the event', async () => (await watch(before)).body.includes('"after"'));
    await fleet.faults.forget();
    await until('it has ended', async () => /^\{"type":"ERROR".*"code":410/.test((await watch(before)).body));
    const exactly = await ask(`${sick}${configMaps}?resourceVersion=${before}&resourceVersionMatch=Exact`);
    expect(outcome(exactly)).toMatchObject({ code: 410, reason: 'Expired' });
    expect(await watch(await list())).toMatchObject({ code: 200, body: '' });
  });
});

describe('NAME-8 CLU-3: a black hole', () => {
  afterAll(() => proxy().heal());

  test('each request ends by its deadline, the condition turns, and all heals', { timeout: 150_000 }, async () => {
    await fleet.becomes('True');
    await fleet.worksAgain();
    await proxy().drop();
    await fleet.withOthersUntouched(async () => {
      // under way before anybody knows
      const waiting = ask(`${sick}${configMaps}`);
      const { stderr, code } = await fleet.fleet.product.kubectl('get', 'configmaps', '-A');
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: 'Warning: cluster "sick" is missing from this list: it did not answer in time\n',
      });
      await fleet.becomes('False');
      expect(await fleet.condition()).toMatchObject({ status: 'False', reason: 'ClusterNotReachable' });
      const known = await ask(`${sick}${configMaps}`);
      expect(outcome(known)).toEqual({
        code: 503,
        reason: 'ServiceUnavailable',
        message: expect.stringMatching(/^cluster "sick" is not ready: it cannot be reached/),
        retryAfter: undefined,
      });
      expect(known.ms).toBeLessThan(1_000);
      const late = await waiting;
      expect(outcome(late)).toMatchObject({ code: 504, reason: 'Timeout', retryAfter: undefined });
      expect(late.ms).toBeLessThan(62_000);
    });
    await proxy().heal();
    await fleet.becomes('True');
    await fleet.worksAgain();
  });
});

describe('negative controls', () => {
  afterEach(() => proxy().heal());

  test('a product that lets clients repeat a write that was done is noticed', async () => {
    await using product = await fleet.fleet.withMutant({
      file: 'server/src/pass/unanswered.ts',
      from: 'if (cause.sent && !read) {',
      to: 'if (cause.sent && read) {',
    });
    expect((await ask(`${sick}${configMaps}`, made('once'), product)).code).toBe(201);
    await proxy().truncate(1);
    expect(outcome(await ask(`${sick}${configMaps}`, made('twice'), product))).toEqual(unreachable);
  });

  test('a product that ends a broken stream as if it were whole is noticed', async () => {
    await using product = await fleet.fleet.withMutant({
      file: 'client/src/https-upstream.ts',
      from: 'if (body) body.fail(error);',
      to: 'if (body) body.end();',
    });
    const watching = await fleet.watch(sick, product);
    await proxy().reset();
    expect(await watching.ended).toBe('ended');
  });
});
