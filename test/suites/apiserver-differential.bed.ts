/** The embedded API server against kube-apiserver: the same requests, the same answers but for what is listed (COMPAT-4). */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memberAdmission } from '@fleet/apiserver/admission/admission.ts';
import { anySeed } from '@fleet/bed/any-seed.ts';
import { asEmbedded, basicControllers } from '@fleet/bed/control-plane.ts';
import { type Member, startMember } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { workloadKinds } from '@fleet/differential/kinds/cluster/all.ts';
import { configMap, event, namespace, secret, serviceAccount } from '@fleet/differential/kinds/core.ts';
import { customResourceDefinition, gadget, widget, widgetOfNextVersion } from '@fleet/differential/kinds/custom.ts';
import { clusterRole, clusterRoleBinding, role, roleBinding } from '@fleet/differential/kinds/rbac.ts';
import { lease } from '@fleet/differential/kinds/workloads.ts';
import { type Difference, describeDifference, describeReport, type Report } from '@fleet/differential/report.ts';
import { runDifferential } from '@fleet/differential/run.ts';
import { readTolerated } from '@fleet/differential/tolerance.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServerProcess } from './embedded/server-process.ts';

const count = Number(process.env['DIFFERENTIAL_COUNT'] ?? 1_500);
/** Another one each time: what is compared grows. */
const seed = process.env['DIFFERENTIAL_SEED'] ?? anySeed();
const timeout = 120_000 + count * 100;

const differences = new URL('../../docs/reference/differences.md', import.meta.url).pathname;

/** The kinds of member clusters instead, where neither side has controllers of them. */
const isWorkloads = process.env['DIFFERENTIAL_KINDS'] === 'workloads';

const controlPlaneKinds = [
  configMap,
  secret,
  serviceAccount,
  namespace,
  event,
  lease,
  role,
  clusterRole,
  roleBinding,
  clusterRoleBinding,
  widget,
  widgetOfNextVersion,
  gadget,
  customResourceDefinition,
];

const kinds = isWorkloads ? workloadKinds : controlPlaneKinds;
const suite = isWorkloads ? 'embedded-workloads' : 'embedded';

let member: Member;
const folders: string[] = [];

beforeAll(async () => {
  member = await startMember({
    name: 'differential',
    nodes: 0,
    ...(isWorkloads && { controllers: basicControllers, extraApiserverFlags: asEmbedded }),
  });
});

afterAll(async () => {
  await member?.[Symbol.asyncDispose]();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function run(asked: { seed: string | number; count: number }, mutant?: Mutant): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-differential-'));
  folders.push(folder);
  await using server = await ServerProcess.startAs(folder, {
    mutant,
    ...(isWorkloads && { admission: memberAdmission }),
  });
  return await runDifferential({
    left: { endpoint: { url: member.server, ca: member.ca, ...member.admin } },
    right: { endpoint: { url: server.url } },
    kinds,
    tolerated: await readTolerated(differences, suite),
    ...asked,
  });
}

/** The seed is what one needs to see it again. */
function show(report: Report): Report {
  for (const difference of report.differences) console.log(describeDifference(difference));
  console.log(describeReport(report));
  return report;
}

describe('CP-1 COMPAT-4: the embedded API server', () => {
  test(`${count} requests differ in nothing but what is listed`, { timeout }, async () => {
    console.log(`DIFFERENTIAL_SEED=${seed} DIFFERENTIAL_COUNT=${count}`);
    const report = show(await run({ seed, count }));
    expect(report.differences.map(({ number }) => number)).toEqual([]);
    expect(report.requests).toBeGreaterThanOrEqual(count);
    // A few thousand requests need not have met all that is listed.
    if (count >= 20_000) expect(report.stale.map(({ line }) => line)).toEqual([]);
  });
});

describe.skipIf(isWorkloads)('negative controls: a run finds', () => {
  const of =
    (...wanted: string[]) =>
    ({ call }: Difference) =>
      wanted.includes(call.resource);
  test.each([
    {
      bug: 'rules without verbs',
      file: 'apiserver/src/kinds/roles.ts',
      from: 'const errors = verbs?.length ? []',
      to: 'const errors = true ? []',
      shows: of('roles', 'clusterroles'),
    },
    {
      bug: 'unknown fields that are always passed over',
      file: 'apiserver/src/http/strict-fields.ts',
      from: "this.#directive === 'Ignore'",
      to: 'true',
      shows: ({ deltas }: Difference) => deltas.some(({ where }) => where === 'header warning'),
    },
    {
      bug: 'a wrong type that Go would call otherwise',
      file: 'apiserver/src/go-json/go-fault.ts',
      from: "if (typeof value === 'boolean') return 'bool';",
      to: '',
      shows: ({ deltas }: Difference) => deltas.some(({ right }) => right.includes('unmarshal boolean')),
    },
    {
      bug: 'empty texts that protobuf leaves out',
      file: 'kube/src/protobuf/encode.ts',
      from: "return lengthed(number, Buffer.from(String(value ?? '')));",
      to: 'return value ? lengthed(number, Buffer.from(String(value))) : empty;',
      shows: ({ call }: Difference) => call.request.headers['accept']?.includes('protobuf') === true,
    },
  ])('$bug', { timeout }, async ({ file, from, to, shows }) => {
    const report = await run({ seed: 1, count: 800 }, { file, from, to });
    expect(report.differences.filter(shows).length).toBeGreaterThan(0);
  });
});
