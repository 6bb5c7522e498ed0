/** Paths that Kubernetes does not have, asked for by users with permissions in one namespace: the embedded API server answers as kube-apiserver does, and nothing outside of that namespace changes (COMPAT-4, CP-1). */

import { anySeed } from '@fleet/bed/any-seed.ts';
import { type Member, startMember } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { describeDifference, describeReport } from '@fleet/differential/report.ts';
import { type RoutesReport, runRoutes } from '@fleet/differential/routes/run.ts';
import { readTolerated } from '@fleet/differential/tolerance.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEmbedded } from './apiserver-rbac/side.ts';

const count = Number(process.env['DIFFERENTIAL_COUNT'] ?? 1_500);
/** Another one each time: what is compared grows. */
const seed = process.env['DIFFERENTIAL_SEED'] ?? anySeed();
const replay = process.env['DIFFERENTIAL_REPLAY'];
const timeout = 120_000 + count * 100;

const differences = new URL('../../docs/reference/differences.md', import.meta.url).pathname;

let member: Member;

beforeAll(async () => {
  member = await startMember({ name: 'routes', nodes: 0 });
});

afterAll(() => member?.[Symbol.asyncDispose]());

async function run(asked: { seed: string | number; count: number; replay?: number }, mutant?: Mutant) {
  await using embedded = await startEmbedded(mutant);
  return await runRoutes({
    left: { endpoint: { url: member.server, ca: member.ca, ...member.admin } },
    right: { endpoint: embedded.endpoint },
    tolerated: await readTolerated(differences, 'routes-embedded'),
    ...asked,
  });
}

/** The seed is what one needs to see it again. */
function show(report: RoutesReport): RoutesReport {
  for (const difference of report.differences.slice(0, 40)) console.log(describeDifference(difference));
  console.log(describeReport(report));
  return report;
}

describe('CP-1 COMPAT-4: paths that Kubernetes does not have', () => {
  test(`${count} requests have the same code and reason, and change nothing outside`, { timeout }, async () => {
    console.log(`DIFFERENTIAL_SEED=${seed} DIFFERENTIAL_COUNT=${count}; one request again: DIFFERENTIAL_REPLAY=number`);
    const report = show(await run({ seed, count, ...(replay && { replay: Number(replay) }) }));
    expect(report.changed).toEqual([]);
    expect(report.unequal).toEqual([]);
    expect(report.differences.map(({ number }) => number)).toEqual([]);
    if (!replay) expect(report.requests).toBeGreaterThanOrEqual(count);
  });
});

describe('negative controls: a run finds', () => {
  /** What kube-apiserver refuses with that code. */
  const served =
    (code: string) =>
    ({ differences }: RoutesReport) =>
      differences.some(({ deltas }) => deltas.some(({ left, right }) => left === code && /^2\d\d$/.test(right)));
  test.each([
    {
      bug: 'Namespaces that are reached below a permitted one',
      file: 'apiserver/src/http/handler.ts',
      from: 'const user = await enter(request, ask ?? { path });',
      to: "const user = await enter(request, ask ?? { path }); if (ask && segments[2] === 'namespaces' && segments[4] === 'namespaces') { segments.splice(2, 2); Object.assign(ask, readRequestInfo(request.method, segments, query)); }",
      shows: ({ changed }: RoutesReport) => changed.some((one) => /namespaces (kube-|default|\S+-closed)/.test(one)),
    },
    {
      bug: 'custom kinds of the cluster that are served in a namespace',
      file: 'apiserver/src/http/verbs.ts',
      from: '? namespace === undefined && !isAcross : namespace !== undefined)',
      to: '? namespace === undefined && !isAcross : false)',
      shows: served('404'),
    },
  ])('$bug', { timeout }, async ({ file, from, to, shows }) => {
    const report = await run({ seed: 1, count: 1_000 }, { file, from, to });
    expect(shows(report)).toBe(true);
  });
});
