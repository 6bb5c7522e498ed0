/** Direct against through `clusters/{c}/proxy`: the same requests, the same answers, byte by byte (COMPAT-4). */

import { anySeed } from '@fleet/bed/any-seed.ts';
import { type Endpoint, endpointOfKubeconfig } from '@fleet/differential/endpoint.ts';
import { describeDifference, describeReport, type Report } from '@fleet/differential/report.ts';
import { runRoutes } from '@fleet/differential/routes/run.ts';
import { runDifferential } from '@fleet/differential/run.ts';
import { readTolerated } from '@fleet/differential/tolerance.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, memberProxy, startFleet } from './fleet.ts';
import { apply, binding, reach } from './rbac.ts';

const count = Number(process.env['DIFFERENTIAL_COUNT'] ?? 5_000);
const seed = process.env['DIFFERENTIAL_SEED'] ?? anySeed();
const timeout = 120_000 + count * 100;

const differences = new URL('../../docs/reference/differences.md', import.meta.url).pathname;

let fleet: Fleet<'member1'>;

beforeAll(async () => {
  fleet = await startFleet({ member1: { version: 'newest', nodes: 0 } });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

/** As the very user that the member sees through the proxy: system:masters is spared some checks. */
const direct = async (): Promise<Endpoint> =>
  endpointOfKubeconfig(await fleet.members.member1.userKubeconfig('fleet:admin', ['fleet:admins']));

const through = (
  product: { server: string; ca: string; admin: { cert: string; key: string } },
  endpoint = memberProxy('member1'),
): Endpoint => ({
  url: product.server + endpoint,
  ca: product.ca,
  ...product.admin,
});

/** The seed is what one needs to see it again. */
function show(report: Report): Report {
  for (const difference of report.differences) console.log(describeDifference(difference));
  console.log(describeReport(report));
  return report;
}

/** Before the others: the bug of their negative control removes whole collections in the member. */
describe('COMPAT-4 AUTHZ-3: paths that Kubernetes does not have, by users with permissions in one namespace', () => {
  const some = Math.min(count, 20_000) / 5;

  test.each([
    { suite: 'cluster-proxy', endpoint: memberProxy('member1') },
    { suite: 'one-place', endpoint: '/clusterspaces/member1' },
  ])(
    `$endpoint: ${some} requests have the same code and reason, and change nothing outside`,
    { timeout },
    async (one) => {
      // All may reach the member: what they are allowed to do there is its own decision.
      await apply(
        fleet.controlPlane,
        reach,
        binding('everybody', 'reach', { kind: 'Group', name: 'system:authenticated' }),
      );
      const endpoint = await direct();
      const right = { endpoint: through(fleet.product, one.endpoint), ground: endpoint };
      const tolerated = await readTolerated(differences, one.suite);
      const report = await runRoutes({ left: { endpoint }, right, seed, count: some, tolerated });
      show(report);
      expect(report.changed).toEqual([]);
      expect(report.unequal).toEqual([]);
      expect(report.differences.map(({ number }) => number)).toEqual([]);
    },
  );
});

describe('URL-4 COMPAT-4: through the cluster proxy', () => {
  test(`${count} requests differ in nothing`, { timeout }, async () => {
    const sides = { left: { endpoint: await direct() }, right: { endpoint: through(fleet.product) } };
    const tolerated = await readTolerated(differences, 'cluster-proxy');
    const report = show(await runDifferential({ ...sides, seed, count, bytes: true, tolerated }));
    expect(report.differences.map(({ number }) => number)).toEqual([]);
    expect(report.requests).toBeGreaterThanOrEqual(count);
    // What is listed still happens, and is as in the list.
    expect(report.stale.map(({ line }) => line)).toEqual([]);
    const refusals = report.tolerated.filter(({ right }) => !/\n +400 /.test(right));
    expect(refusals.map(({ right }) => right)).toEqual([]);
  });

  test('negative control: a proxy that loses a parameter is noticed', { timeout }, async () => {
    const product = await fleet.withMutant({
      file: 'server/src/target/families/untouched.ts',
      from: 'wire: inner,',
      to: "wire: { ...inner, query: inner.query.split('&').slice(1).join('&') },",
    });
    const sides = { left: { endpoint: await direct() }, right: { endpoint: through(product) } };
    const report = await runDifferential({ ...sides, seed: 1, count: 250, bytes: true });
    expect(report.differences.length).toBeGreaterThan(0);
  });
});
