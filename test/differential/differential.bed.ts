/** kube-apiserver against itself differs in nothing (COMPAT-4). That whatever is spoilt on the way is found: `src/run.test.ts`. */
import { anySeed } from '@fleet/bed/any-seed.ts';
import { basicControllers } from '@fleet/bed/control-plane.ts';
import { type Member, startMember } from '@fleet/bed/member.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from './src/endpoint.ts';
import { workloadKinds } from './src/kinds/cluster/all.ts';
import { describeDifference, describeReport, type Report } from './src/report.ts';
import { runDifferential } from './src/run.ts';

const count = Number(process.env['DIFFERENTIAL_COUNT'] ?? 1000);
const seed = process.env['DIFFERENTIAL_SEED'] ?? anySeed();
/** The kinds of member clusters, of members without their controllers. */
const isWorkloads = process.env['DIFFERENTIAL_KINDS'] === 'workloads';
const timeout = 120_000 + count * 100;

let one: Member;
let two: Member;

beforeAll(async () => {
  const bare = { nodes: 0, ...(isWorkloads && { controllers: basicControllers }) };
  [one, two] = await Promise.all([startMember({ name: 'left', ...bare }), startMember({ name: 'right', ...bare })]);
});
afterAll(async () => {
  await Promise.all([one?.[Symbol.asyncDispose](), two?.[Symbol.asyncDispose]()]);
});

const chosen = isWorkloads ? { kinds: workloadKinds } : {};

const endpoint = (member: Member): Endpoint => ({ url: member.server, ca: member.ca, ...member.admin });

/** Printed whatever comes of it: the seed is what one needs to see it again. */
function show(report: Report): Report {
  for (const difference of report.differences) console.log(describeDifference(difference));
  console.log(describeReport(report));
  return report;
}

describe('COMPAT-4 kube-apiserver against itself', () => {
  it('gives the same answers on two members', { timeout }, async () => {
    const sides = { left: { endpoint: endpoint(one) }, right: { endpoint: endpoint(two) } };
    const report = show(await runDifferential({ ...sides, seed, count, ...chosen }));
    expect(report.differences.map((one) => one.number)).toEqual([]);
    expect(report.requests).toBeGreaterThanOrEqual(count);
  });

  it('gives the same answers, byte by byte, in two namespaces of one member', { timeout }, async () => {
    const side = { endpoint: endpoint(one) };
    const report = show(await runDifferential({ left: side, right: side, seed, count, bytes: true, ...chosen }));
    expect(report.differences.map((one) => one.number)).toEqual([]);
  });
});
