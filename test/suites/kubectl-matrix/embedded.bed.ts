/** Every kubectl command that needs no running pods, on the embedded control plane and on a kube-apiserver (COMPAT-1). */

import { readFile, writeFile } from 'node:fs/promises';
import { basicControllers } from '@fleet/bed/control-plane.ts';
import { EmbeddedControlPlane } from '@fleet/bed/embedded-control-plane.ts';
import { type Member, startMember } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { startProduct } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { versions } from './cell.ts';
import { customs } from './embedded/custom-rows.ts';
import { differences, groups } from './embedded/rows.ts';
import { heading, section } from './embedded/section.ts';
import { shown } from './embedded/shown.ts';
import { Side } from './embedded/side.ts';
import { type Row, shownCommand } from './row.ts';

const running = new AsyncDisposableStack();
let kubernetes: Member;
/** kube-apiserver's first. */
let pairs: [Side, Side][];

async function startEmbedded(mutant?: Mutant): Promise<EmbeddedControlPlane> {
  const controlPlane = running.use(await EmbeddedControlPlane.start());
  running.use(await startProduct({ controlPlane, ...(mutant ? { mutant } : {}) }));
  return controlPlane;
}

beforeAll(async () => {
  const [member, embedded] = await Promise.all([
    startMember({ name: 'kubernetes', nodes: 0, controllers: basicControllers }),
    startEmbedded(),
  ]);
  kubernetes = running.use(member);
  pairs = versions.map((version) => [new Side(version, kubernetes), new Side(version, embedded)]);
  await Promise.all(pairs.flat().map((side) => side.seed()));
});

afterAll(() => running.disposeAsync());

/** kube-apiserver serves a definition's kind a moment before it publishes the schema. */
const explained = (there: Side, row: Row) =>
  until('kube-apiserver has the schema', async () => {
    const results = await there.ran(row);
    return results.at(-1)!.code === (row.code ?? 0) ? results : undefined;
  });

const both = async ([there, here]: readonly [Side, Side], row: Row) => {
  const known = shownCommand(row).startsWith('kubectl explain') ? explained(there, row) : there.ran(row);
  const [expected, seen] = await Promise.all([known, here.ran(row)]);
  // What nobody can do compares nothing.
  const { code, stderr } = expected.at(-1)!;
  expect(code, stderr).toBe(row.code ?? 0);
  return { expected: expected.map(shown), seen: seen.map(shown) };
};

describe.each(Object.entries(groups))('%s', (_, rows) => {
  test.each(rows.map((row) => [shownCommand(row), row] as const))('%s', async (command, row) => {
    const answers = await Promise.all(pairs.map((pair) => both(pair, row)));
    if (differences[command]) {
      // Once nothing differs, the table has to be updated.
      expect(answers.filter(({ expected, seen }) => expected.join() !== seen.join())).not.toEqual([]);
    } else for (const { expected, seen } of answers) expect(seen).toEqual(expected);
  });
});

test('docs/reference/kubectl.md shows what was seen', async () => {
  const file = new URL('../../../docs/reference/kubectl.md', import.meta.url);
  const before = await readFile(file, 'utf8');
  const [others = ''] = before.split(`\n${heading}`);
  const now = `${others.trimEnd()}\n\n${section()}`;
  await writeFile(file, now);
  expect(before, 'it was out of date and has been written anew: look at the difference and commit it').toBe(now);
});

test('negative control: objects inside others without a kind are noticed', async () => {
  const embedded = await startEmbedded({
    file: 'apiserver/src/openapi/custom-schema.ts',
    from: "if (isOpen || !given['x-kubernetes-embedded-resource']) return given;",
    to: 'return given;',
  });
  const pair = [new Side('newest', kubernetes), new Side('newest', embedded)] as const;
  const at = customs.findIndex((row) => shownCommand(row).endsWith('--recursive'));
  for (const row of customs.slice(0, at)) {
    const { expected, seen } = await both(pair, row);
    expect(seen).toEqual(expected);
  }
  const { expected, seen } = await both(pair, customs[at]!);
  expect(seen).not.toEqual(expected);
});
