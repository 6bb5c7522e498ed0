/** The embedded API server against kube-apiserver: the same requests, the same answers but for what is listed (COMPAT-4). */

import { anySeed } from '@fleet/bed/any-seed.ts';
import { configMap, event, namespace, secret, serviceAccount } from '@fleet/differential/kinds/core.ts';
import { customResourceDefinition, gadget, widget, widgetOfNextVersion } from '@fleet/differential/kinds/custom.ts';
import { clusterRole, clusterRoleBinding, role, roleBinding } from '@fleet/differential/kinds/rbac.ts';
import { lease } from '@fleet/differential/kinds/workloads.ts';
import type { Difference } from '@fleet/differential/report.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Comparison, show } from './apiserver-differential/comparison.ts';

const count = Number(process.env['DIFFERENTIAL_COUNT'] ?? 1_500);
/** Another one each time: what is compared grows. */
const seed = process.env['DIFFERENTIAL_SEED'] ?? anySeed();
const timeout = 120_000 + count * 100;

const kinds = [
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

let comparison: Comparison;

beforeAll(async () => {
  comparison = await Comparison.start({ suite: 'embedded', kinds });
});

afterAll(async () => {
  await comparison?.[Symbol.asyncDispose]();
});

describe('CP-1 COMPAT-4: the embedded API server', () => {
  test(`${count} requests differ in nothing but what is listed`, { timeout }, async () => {
    console.log(`DIFFERENTIAL_SEED=${seed} DIFFERENTIAL_COUNT=${count}`);
    const report = show(await comparison.run({ seed, count }));
    expect(report.differences.map(({ number }) => number)).toEqual([]);
    expect(report.requests).toBeGreaterThanOrEqual(count);
    // A few thousand requests need not have met all that is listed.
    if (count >= 20_000) expect(report.stale.map(({ line }) => line)).toEqual([]);
  });
});

describe('negative controls: a run finds', () => {
  const of =
    (...resources: string[]) =>
    ({ call }: Difference) =>
      resources.includes(call.resource);
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
    const report = await comparison.run({ seed: 1, count: 800 }, { file, from, to });
    expect(report.differences.filter(shows).length).toBeGreaterThan(0);
  });
});
