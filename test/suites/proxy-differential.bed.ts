/** Direct against through `clusters/{c}/proxy`: the same requests, the same answers, byte by byte (COMPAT-4). */

import type { Endpoint } from '@fleet/differential/endpoint.ts';
import { describeDifference, describeReport, type Report } from '@fleet/differential/report.ts';
import { runDifferential } from '@fleet/differential/run.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, memberProxy, startFleet } from './fleet.ts';

const count = Number(process.env['DIFFERENTIAL_COUNT'] ?? 5_000);
const seed = process.env['DIFFERENTIAL_SEED'] ?? Math.floor(Math.random() * 1_000_000);
const timeout = 120_000 + count * 100;

let fleet: Fleet<'member1'>;

beforeAll(async () => {
  fleet = await startFleet({ member1: { version: 'newest', nodes: 0 } });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const direct = (): Endpoint => ({
  url: fleet.members.member1.server,
  ca: fleet.members.member1.ca,
  ...fleet.members.member1.admin,
});

const through = (product: { server: string; ca: string; admin: { cert: string; key: string } }): Endpoint => ({
  url: product.server + memberProxy('member1'),
  ca: product.ca,
  ...product.admin,
});

/** The seed is what one needs to see it again. */
function show(report: Report): Report {
  for (const difference of report.differences) console.log(describeDifference(difference));
  console.log(describeReport(report));
  return report;
}

describe('URL-4 COMPAT-4: through the cluster proxy', () => {
  test(`${count} requests differ in nothing`, { timeout }, async () => {
    const sides = { left: { endpoint: direct() }, right: { endpoint: through(fleet.product) } };
    const report = show(await runDifferential({ ...sides, seed, count, bytes: true }));
    expect(report.differences.map(({ number }) => number)).toEqual([]);
    expect(report.requests).toBeGreaterThanOrEqual(count);
  });

  test('negative control: a proxy that loses a parameter is noticed', { timeout }, async () => {
    const product = await fleet.withMutant({
      file: 'server/src/target/families/untouched.ts',
      from: 'wire: inner,',
      to: "wire: { ...inner, query: inner.query.split('&').slice(1).join('&') },",
    });
    const sides = { left: { endpoint: direct() }, right: { endpoint: through(product) } };
    const report = await runDifferential({ ...sides, seed: 1, count: 250, bytes: true });
    expect(report.differences.length).toBeGreaterThan(0);
  });
});
