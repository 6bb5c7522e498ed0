/** One member frozen: people get the others with a warning, programs an error that names it, nobody else waits. */

import { until } from '@fleet/bed/until.ts';
import { openWitness, type Witness } from '@fleet/bed/witness.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, memberProxy, startFleet } from './fleet.ts';

let fleet: Fleet<'member1' | 'member2' | 'member3'>;

beforeAll(async () => {
  fleet = await startFleet({
    member1: { version: 'newest', workloads: true },
    member2: { version: 'older', workloads: true },
    member3: { version: 'newest', nodes: 0 },
  });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const timed = async <T>(work: Promise<T>): Promise<{ result: T; ms: number }> => {
  const start = performance.now();
  const result = await work;
  return { result, ms: performance.now() - start };
};

const ready = async (name: string): Promise<string> =>
  (
    await fleet.product.kubectl(
      'get',
      'cluster',
      name,
      '-o',
      'jsonpath={.status.conditions[?(@.type=="Ready")].status}',
    )
  ).stdout;

const warning = 'Warning: cluster "member2" is missing from this list: it did not answer in time\n';

const clustersIn = (stdout: string): string[] =>
  [...new Set([...stdout.matchAll(/\.clusterspace\.(\S+)/g)].map(([, name]) => name!))].sort();

/** The list requests that a member saw, as it wrote them down itself. */
const listsSeen = async (witness: Witness, mark: ReturnType<Witness['mark']>, name: 'member1' | 'member3') =>
  (await witness.all(mark, (path) => fleet.members[name].api.ask(path)))
    // the product counts nodes and pods on its own account (CLU-3)
    .filter(({ user }) => user !== 'system:serviceaccount:fleet-system:fleet-control')
    .filter(({ verb, requestURI }) => verb === 'list' && requestURI.startsWith('/api/v1/'))
    .map(({ requestURI, impersonatedUser, user }) => ({ requestURI, impersonatedUser, user }));

describe('LIST-4: a member is frozen', () => {
  let stuckAnswers: Promise<({ code: number } | undefined)[]>;
  beforeAll(() => fleet.members.member2.faults.freeze());
  afterAll(() => fleet.members.member2.faults.thaw());

  test('a Table comes without it, with one warning, within the deadline', async () => {
    const { result, ms } = await timed(fleet.product.kubectl('get', 'pods', '-A'));
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: warning });
    expect(clustersIn(result.stdout)).toEqual(['member1']);
    expect(ms).toBeLessThan(8_000);
  });

  test('an object list is a 503 that names it, without Retry-After, within the deadline', async () => {
    const { result, ms } = await timed(fleet.product.kubectl('get', 'pods', '-A', '-o', 'json'));
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/^Error from server \(ServiceUnavailable\): .*"member2" did not answer in time/);
    // client-go repeats a 5xx that has Retry-After ten times: this one it must not.
    expect(ms).toBeLessThan(8_000);
  });

  test('partial=true and partial=false turn it round', async () => {
    const partial = await fleet.product.api.ask('/api/v1/configmaps?partial=true');
    expect(partial.code).toBe(200);
    expect(clustersIn(partial.body.replaceAll('"', ' '))).toEqual(['member1', 'member3']);
    const strict = await fleet.product.kubectl('get', '--raw', '/api/v1/configmaps?partial=false');
    expect(strict.stderr).toContain('ServiceUnavailable');
  });

  test('of 1 000 requests to the others none waits for it', async () => {
    // On their way to the silent member all the while, and a list that waits for it.
    const stuck = Array.from({ length: 20 }, () =>
      fleet.product.api.ask(`${memberProxy('member2')}/api/v1/pods`, { timeout: 100_000 }).catch(() => undefined),
    );
    const listing = fleet.product.kubectl('get', 'pods', '-A');
    const answered: { result: { code: number }; ms: number }[] = [];
    const lane = async () => {
      for (let i = 0; i < 100; i++) {
        const endpoint = memberProxy(i % 2 ? 'member1' : 'member3');
        answered.push(await timed(fleet.product.api.ask(`${endpoint}/api/v1/namespaces/default/configmaps`)));
      }
    };
    // Each with an answer of its own by its deadline, or at once when the member is known to be unreachable.
    stuckAnswers = Promise.all(stuck);
    await Promise.all(Array.from({ length: 10 }, lane));
    expect(answered).toHaveLength(1_000);
    expect(new Set(answered.map(({ result }) => result.code))).toEqual(new Set([200]));
    const slowest = Math.max(...answered.map(({ ms }) => ms));
    console.log(`slowest of 1 000: ${Math.round(slowest)} ms`);
    // One that waited for the frozen member would take as long as its deadline, which is 5 s at the least.
    expect(slowest).toBeLessThan(4_000);
    await listing;
  });

  test('a named request to it ends by its deadline or at once, with a clear Status', async () => {
    await until('member2 counts as not ready', async () => (await ready('member2')) === 'False', { timeout: 60_000 });
    const { result, ms } = await timed(fleet.product.kubectl('get', 'pod', 'x.clusterspace.member2'));
    expect(result.stderr).toBe(
      'Error from server (ServiceUnavailable): cluster "member2" is not ready: it cannot be reached (timeout)\n',
    );
    expect(ms).toBeLessThan(2_000);
  });

  test('CLU-3 LIST-4: once it is known to be not ready, lists do not wait for it', async () => {
    const { result, ms } = await timed(fleet.product.kubectl('get', 'pods', '-A'));
    expect(result.stderr).toBe(warning.replace('did not answer in time', 'cannot be reached (timeout)'));
    expect(clustersIn(result.stdout)).toEqual(['member1']);
    expect(ms).toBeLessThan(2_000);
  });

  test('NAME-8: what was on its way to it has ended by its deadline', { timeout: 90_000 }, async () => {
    // 503 where not even a connection came about, so that it surely did not get there; 504 where it may have.
    const others = (await stuckAnswers).filter((answer) => answer?.code !== 503 && answer?.code !== 504);
    expect(others).toEqual([]);
  });

  test('CLU-3: it is back as soon as it answers', async () => {
    fleet.members.member2.faults.thaw();
    await until('member2 counts as ready', async () => (await ready('member2')) === 'True');
    const { stdout, stderr } = await fleet.product.kubectl('get', 'pods', '-A');
    expect({ stderr, clusters: clustersIn(stdout) }).toEqual({ stderr: '', clusters: ['member1', 'member2'] });
  });
});

describe('LIST-1: what the members see of a list', () => {
  test('one request per member and call below 500 objects, as the user', async () => {
    const witness = await openWitness(fleet.members.member1.auditLog);
    const mark = witness.mark();
    await fleet.product.kubectl('get', 'pods', '-A');
    expect(await listsSeen(witness, mark, 'member1')).toEqual([
      {
        requestURI: '/api/v1/pods?limit=500',
        user: 'system:serviceaccount:fleet-system:fleet-impersonator',
        impersonatedUser: 'fleet:admin',
      },
    ]);
  });

  test('exactly one chain of pages above, for who wants all at once', async () => {
    const names = Array.from({ length: 1_100 }, (_, i) => `page-${String(i).padStart(4, '0')}`);
    const items = names.map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }));
    const manifest = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    await fleet.members.member3.kubectl('create', '-f', '-', { stdin: manifest });
    const witness = await openWitness(fleet.members.member3.auditLog);
    const mark = witness.mark();
    const { stdout } = await fleet.product.kubectl(
      'get',
      'configmaps',
      '-n',
      'default',
      '-o',
      'name',
      '--chunk-size=0',
    );
    const listed = stdout
      .split('\n')
      .filter((line) => line.endsWith('.clusterspace.member3') && line.includes('/page-'));
    expect(listed).toEqual(names.map((name) => `configmap/${name}.clusterspace.member3`));
    const seen = await listsSeen(witness, mark, 'member3');
    expect(seen.map(({ requestURI }) => requestURI.replace(/continue=[^&]+/, 'continue=…'))).toEqual([
      '/api/v1/namespaces/default/configmaps?limit=500',
      '/api/v1/namespaces/default/configmaps?limit=500&continue=…',
      '/api/v1/namespaces/default/configmaps?limit=500&continue=…',
    ]);
  });
});

describe('negative controls', () => {
  afterEach(() => fleet.members.member2.faults.thaw());

  test('a merger that leaves a silent member out of object lists is noticed', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/merge/settle.ts',
      from: 'if (missing.length > 0 && (!partial || lists.length === 0)) throw',
      to: 'if (missing.length > 0 && lists.length === 0) throw',
    });
    fleet.members.member2.faults.freeze();
    const { code, stdout } = await product.kubectl('get', 'pods', '-A', '-o', 'json');
    expect(code).toBe(0);
    expect(stdout).not.toContain('member2');
  });

  test('a merger that asks twice is noticed', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/merge/live-source.ts',
      from: 'const reply = await this.untilNotBusy(ask, deadline, pageQuery(ask.query, firstPage(ask)));',
      to: 'const twice = pageQuery(ask.query, 500); await this.untilNotBusy(ask, deadline, twice); const reply = await this.untilNotBusy(ask, deadline, twice);',
    });
    const witness = await openWitness(fleet.members.member1.auditLog);
    const mark = witness.mark();
    await product.kubectl('get', 'pods', '-A');
    expect(await listsSeen(witness, mark, 'member1')).toHaveLength(2);
  });
});
