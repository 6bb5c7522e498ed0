/** What a sick member does to its clients, and to nobody else (NAME-8, CLU-3). */

import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { until } from '@fleet/bed/until.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, memberProxy, startFleet } from './fleet.ts';

let fleet: Fleet<'sick' | 'well'>;
let agent: Agent;

beforeAll(async () => {
  fleet = await startFleet({
    sick: { version: 'newest', nodes: 0, faults: true },
    well: { version: 'older', nodes: 0 },
  });
  const { ca, admin } = fleet.product;
  agent = new Agent({ keepAlive: true, ca, ...admin });
});

afterAll(async () => {
  agent?.destroy();
  await fleet?.[Symbol.asyncDispose]();
});

const proxy = () => fleet.members.sick.faults.proxy;
const configMaps = '/api/v1/namespaces/default/configmaps';
const sick = memberProxy('sick');
const well = memberProxy('well');

interface Heard {
  code: number;
  reason?: string;
  message?: string;
  retryAfter: string | undefined;
  body: string;
  ms: number;
}

/** Throws if the answer breaks off. */
async function ask(path: string, body?: object): Promise<Heard> {
  const begun = performance.now();
  const asking = request(new URL(path, fleet.product.server), {
    agent,
    method: body ? 'POST' : 'GET',
    headers: body ? { 'content-type': 'application/json' } : {},
  });
  asking.end(body && JSON.stringify(body));
  const [response] = await once(asking, 'response');
  const said = await text(response);
  const status = response.statusCode >= 400 ? (JSON.parse(said) as { reason: string; message: string }) : undefined;
  return {
    code: response.statusCode,
    ...(status && { reason: status.reason, message: status.message }),
    retryAfter: response.headers['retry-after'],
    body: said,
    ms: performance.now() - begun,
  };
}

const outcome = ({ code, reason, message, retryAfter }: Heard) => ({ code, reason, message, retryAfter });

/** A member that fails, and still counts as ready: trying again soon makes sense. */
const unreachable = {
  code: 503,
  reason: 'ServiceUnavailable',
  message: 'cluster "sick" cannot be reached',
  retryAfter: '1',
};

const condition = async (name: string) => {
  const { status } = await fleet.controlPlane.api.object<{
    status: { conditions: { type: string; status: string; reason: string }[] };
  }>(`/apis/cluster.karmada.io/v1alpha1/clusters/${name}`);
  const ready = status.conditions.find(({ type }) => type === 'Ready');
  return ready && { status: ready.status, reason: ready.reason };
};

const becomes = (status: string) =>
  until(`sick is ${status}`, async () => (await condition('sick'))?.status === status, { timeout: 60_000 });

/** An open watch: `ended` tells whether its last event was whole. */
async function watch(door: string) {
  const asking = request(new URL(`${door}${configMaps}?watch=true`, fleet.product.server), { agent });
  asking.end();
  const [response] = await once(asking, 'response');
  let lines = '';
  response.on('data', (data: Buffer) => {
    lines += data;
  });
  const ended = new Promise<string>((resolve) => {
    response.once('error', () => resolve('broken'));
    response.once('end', () => resolve('ended'));
  });
  await until('the watch shows something', () => lines.includes('\n'));
  return { ended, lines: () => lines, close: () => asking.destroy() };
}

/** Requests to the other member while `work` goes on: none fails, none takes a second. */
async function withOthersUntouched(work: () => Promise<void>): Promise<void> {
  let over = false;
  const others = (async () => {
    const answers: Heard[] = [];
    while (!over) answers.push(await ask(`${well}${configMaps}`));
    return answers;
  })();
  try {
    await work();
  } finally {
    over = true;
  }
  const answers = await others;
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([200]));
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(1_000);
}

const worksAgain = async () => {
  expect((await ask(`${sick}${configMaps}`)).code).toBe(200);
};

describe('NAME-8: a connection that fails at once', () => {
  afterEach(() => proxy().heal());

  test.each(['reset', 'refuse', 'corrupt'] as const)(
    '%s: 503 soon, others untouched, healed at once',
    async (fault) => {
      await worksAgain();
      await proxy()[fault]();
      await withOthersUntouched(async () => {
        for (let round = 0; round < 5; round++) {
          const heard = await ask(`${sick}${configMaps}`);
          expect(outcome(heard)).toEqual(unreachable);
          expect(heard.ms).toBeLessThan(2_000);
        }
      });
      await proxy().heal();
      await worksAgain();
    },
  );

  test('a write that did not reach it is 503; one that may have is 504, which nobody repeats', async () => {
    const made = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    await proxy().refuse();
    expect(outcome(await ask(`${sick}${configMaps}`, made('unsent')))).toEqual(unreachable);
    await proxy().heal();
    await worksAgain();
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
    await worksAgain();
    await proxy().truncate(200_000);
    await expect(ask(`${sick}/openapi/v2`)).rejects.toThrow(/aborted|hang up/);
    await proxy().heal();
    expect(JSON.parse((await ask(`${sick}/openapi/v2`)).body)).toHaveProperty('paths');
  });

  test('an open watch breaks with its member, and another member’s goes on', async () => {
    const [broken, other] = [await watch(sick), await watch(well)];
    await proxy().reset();
    expect(await broken.ended).toBe('broken');
    await fleet.members.well.kubectl('create', 'configmap', 'during');
    await until('the other watch shows it', () => other.lines().includes('"during"'));
    other.close();
    await proxy().heal();
    await worksAgain();
  });
});

describe('NAME-8: a member that is killed and started again', () => {
  test('its watches break, requests are 503 at once, and all is well when it is back', async () => {
    const broken = await watch(sick);
    await fleet.members.sick.faults.kill();
    expect(await broken.ended).toBe('broken');
    await withOthersUntouched(async () => {
      const heard = await ask(`${sick}${configMaps}`);
      expect(outcome(heard)).toEqual(unreachable);
      expect(heard.ms).toBeLessThan(2_000);
    });
    await fleet.members.sick.faults.start();
    await worksAgain();
    const again = await watch(sick);
    again.close();
  });
});

describe('NAME-8 CLU-3: a black hole', () => {
  afterAll(() => proxy().heal());

  test('each request ends by its deadline, the condition turns, and all heals', { timeout: 150_000 }, async () => {
    await until('sick is ready', async () => (await condition('sick'))?.status === 'True');
    await worksAgain();
    await proxy().drop();
    await withOthersUntouched(async () => {
      // under way before anybody knows
      const waiting = ask(`${sick}${configMaps}`);
      const { stderr, code } = await fleet.product.kubectl('get', 'configmaps', '-A');
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: 'Warning: cluster "sick" is missing from this list: it did not answer in time\n',
      });
      await becomes('False');
      expect(await condition('sick')).toEqual({ status: 'False', reason: 'ClusterNotReachable' });
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
    await becomes('True');
    await worksAgain();
  });
});

describe('CLU-3: a member that no longer takes the product’s credentials', () => {
  test('is not ready for that reason, its clients are told so, and a new join mends it', {
    timeout: 120_000,
  }, async () => {
    const { stdout } = await fleet.members.sick.kubectl('get', 'secrets', '-n', 'fleet-system', '-o', 'name');
    const tokens = stdout.trim().split('\n');
    expect(tokens).toHaveLength(2);
    await fleet.members.sick.kubectl('delete', '-n', 'fleet-system', ...tokens);
    // The token is looked up with each request, save for a few seconds of memory.
    const told = await until('the member refuses', async () => {
      const heard = await ask(`${sick}${configMaps}`);
      return heard.code === 200 ? undefined : heard;
    });
    // Not 401: the client's own proof was good.
    expect(outcome(told)).toEqual({
      code: 503,
      reason: 'ServiceUnavailable',
      message: 'cluster "sick" does not accept the credential that this server has for it',
      retryAfter: undefined,
    });
    await becomes('False');
    expect(await condition('sick')).toEqual({ status: 'False', reason: 'CredentialRefused' });
    expect((await ask(`${well}${configMaps}`)).code).toBe(200);
    await fleet.product.join(fleet.members.sick);
    await becomes('True');
    await worksAgain();
  });
});
