/** The embedded API server as that of a member cluster against kube-apiserver: workloads, services, volumes (COMPAT-4). */

import { memberAdmission } from '@fleet/apiserver/admission/admission.ts';
import { anySeed } from '@fleet/bed/any-seed.ts';
import { asEmbedded, basicControllers } from '@fleet/bed/control-plane.ts';
import { workloadKinds } from '@fleet/differential/kinds/cluster/all.ts';
import { deployment, replicaSet } from '@fleet/differential/kinds/cluster/apps.ts';
import { endpoints, service } from '@fleet/differential/kinds/cluster/network.ts';
import { autoscaler, oldAutoscaler } from '@fleet/differential/kinds/cluster/policies.ts';
import type { Difference } from '@fleet/differential/report.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Comparison, show } from './apiserver-differential/comparison.ts';

const count = Number(process.env['DIFFERENTIAL_COUNT'] ?? 400);
const given = process.env['DIFFERENTIAL_SEED'];
const replay = process.env['DIFFERENTIAL_REPLAY'];
/** One that is always the same, and another one each time: what is compared grows. */
const seeds = given === undefined ? ['1', String(anySeed())] : [given];
const timeout = 120_000 + count * 100;

let comparison: Comparison;

beforeAll(async () => {
  comparison = await Comparison.start({
    suite: 'embedded-workloads',
    kinds: workloadKinds,
    member: { controllers: basicControllers, extraApiserverFlags: asEmbedded },
    admission: memberAdmission,
  });
});

afterAll(async () => {
  await comparison?.[Symbol.asyncDispose]();
});

describe('CP-1 COMPAT-4: the embedded API server of a member cluster', () => {
  test.each(seeds)(`${count} requests of seed %s differ in nothing but what is listed`, { timeout }, async (seed) => {
    console.log(`DIFFERENTIAL_SEED=${seed} DIFFERENTIAL_COUNT=${count}; one request again: DIFFERENTIAL_REPLAY=number`);
    const report = show(await comparison.run({ seed, count, ...(replay && { replay: Number(replay) }) }));
    expect(report.differences.map(({ number }) => number)).toEqual([]);
    if (!replay) expect(report.requests).toBeGreaterThanOrEqual(count);
  });
});

describe.skipIf(replay)('negative controls: a run finds', () => {
  const inField =
    (field: string) =>
    ({ deltas }: Difference) =>
      deltas.some(({ where }) => where.includes(field));
  test.each([
    {
      bug: 'a default that is left out',
      file: 'apiserver/src/kinds/deployments/defaults.ts',
      from: 'spec.progressDeadlineSeconds ??= deadlineSeconds;',
      to: '',
      kinds: [deployment],
      shows: inField('progressDeadlineSeconds'),
    },
    {
      bug: 'a selector that may change',
      file: 'apiserver/src/kinds/workloads/selector-rules.ts',
      from: "immutableErrors(shownSelector(selector), shownSelector(old), 'spec.selector')",
      to: '[]',
      kinds: [deployment, replicaSet],
      shows: inField('status'),
    },
    {
      bug: 'a generation that is not raised',
      file: 'apiserver/src/registry/update.ts',
      from: 'object.metadata.generation = (old.metadata.generation ?? 0) + 1;',
      to: 'object.metadata.generation = old.metadata.generation ?? 0;',
      kinds: [deployment],
      shows: inField('generation'),
    },
    {
      bug: 'addresses that an update takes away',
      file: 'apiserver/src/kinds/services/allocation.ts',
      from: 'if (before) keepAllocated(spec, before);',
      to: '',
      kinds: [service],
      shows: ({ deltas }: Difference) => deltas.length > 0,
    },
    {
      bug: 'warnings that are not given',
      file: 'apiserver/src/http/verbs.ts',
      from: 'if (printed.deprecation) call.warn(printed.deprecation);',
      to: '',
      kinds: [endpoints],
      shows: inField('header warning'),
    },
    {
      bug: 'fields that an older version loses',
      file: 'apiserver/src/kinds/autoscalers/older-version.ts',
      from: '[behaviorKey]: behavior && writtenBehavior(behavior as Behavior),',
      to: '',
      kinds: [autoscaler, oldAutoscaler],
      shows: inField('behavior'),
    },
  ])('$bug', { timeout }, async ({ file, from, to, kinds, shows }) => {
    const report = await comparison.run({ seed: 1, count: 160, kinds }, { file, from, to });
    expect(report.differences.filter(shows).length).toBeGreaterThan(0);
  });
});
