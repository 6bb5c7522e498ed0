/** Every kubectl command in every view that spans members, with both kubectls: what it did is seen in the member (COMPAT-1). */

import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from '../fleet.ts';
import { watchMember } from '../seen.ts';
import { Cell, versions, views } from './cell.ts';
import { heading } from './embedded/section.ts';
import { applied, seed } from './objects.ts';
import { type Addressing, addresses, execReaches, loggedPod, podsOf, startTwin, twins } from './own-pods.ts';
import { page } from './page.ts';
import { prunesMany, runCell, shownCommand } from './row.ts';
import { creates } from './rows/create.ts';
import { ends } from './rows/end.ts';
import { reads } from './rows/read.ts';
import { streams } from './rows/stream.ts';
import { writes } from './rows/write.ts';

const groups = {
  Reading: reads,
  Streams: streams,
  'Changing what is there': writes,
  Creating: creates,
  'Deleting, and nodes': ends,
};

let fleet: Fleet<'m1' | 'm2' | 'm3'>;
let cells: Cell[];
let written: (() => ReturnType<Awaited<ReturnType<typeof watchMember>>>)[];

/** Where a name alone does not identify the cluster, it must be in one of them only. */
const collides = ({ view }: Cell) => view === 'name' || view === 'namespace';

beforeAll(async () => {
  fleet = await startFleet({
    m1: { version: 'newest', nodes: views.length * versions.length + 1, workloads: true, metrics: true },
    m2: { version: 'older', workloads: true },
    m3: { version: 'newest', nodes: 0 },
  });
  const { m1, m2, m3 } = fleet.members;
  cells = versions.flatMap((version) => views.map((view) => new Cell(view, version, fleet.product, m1)));
  await Promise.all([
    ...cells.flatMap((cell) => [seed(cell, m1), ...(collides(cell) ? [seed(cell, m2)] : [])]),
    ...[m1, m2].flatMap((member) => [startTwin(member), ...cells.map((cell) => applied(cell, member))]),
  ]);
  written = await Promise.all([m2, m3].map(watchMember));
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

describe.each(Object.entries(groups))('%s', (_, rows) => {
  test.each(rows.map((row) => [shownCommand(row), row] as const))('%s', async (_command, row) => {
    const ended = await Promise.allSettled(cells.map((cell) => runCell(row, cell)));
    const failures = ended.flatMap((cell) => (cell.status === 'rejected' ? [(cell.reason as Error).message] : []));
    expect(failures.join('\n')).toBe('');
  });
});

test('nothing was written to another member than the one that was named', async () => {
  const entries = (await Promise.all(written.map((seen) => seen()))).flat();
  const writing = entries.filter(
    ({ verb, impersonatedUser }) => impersonatedUser !== undefined && !['get', 'list', 'watch'].includes(verb),
  );
  const reviews = writing.filter(({ objectRef }) => objectRef?.resource?.endsWith('reviews'));
  expect(
    writing.filter((entry) => !reviews.includes(entry)).map(({ verb, requestURI }) => `${verb} ${requestURI}`),
  ).toEqual([]);
});

test('docs/reference/kubectl.md shows what was seen', async () => {
  const file = new URL('../../../docs/reference/kubectl.md', import.meta.url);
  const before = await readFile(file, 'utf8').catch(() => '');
  const at = before.indexOf(heading);
  const now = `${page(groups)}${at < 0 ? '' : `\n${before.slice(at)}`}`;
  await writeFile(file, now);
  expect(before, 'it was out of date and has been written anew: look at the difference and commit it').toBe(now);
});

test.each(Object.keys(addresses) as Addressing[])(
  'NAME-11: exec and logs of a workload take a pod of its own member, fifty times each: %s',
  async (addressing) => {
    const own = await Promise.all(twins.map((member) => podsOf(fleet.members[member], addressing)));
    for (let round = 0; round < 25; round++) {
      expect(await execReaches(fleet.product, addressing)).toEqual(twins);
      for (const [index, member] of twins.entries())
        expect(own[index]).toContain(await loggedPod(fleet.product, addressing, member));
    }
  },
);

describe.concurrent('negative controls', () => {
  const planted = [
    {
      bug: 'suffixes stay in bodies',
      mutant: {
        file: 'server/src/target/stripped-body.ts',
        from: 'const json = strippedJson(read, renamed, stripping);',
        to: 'const { json } = read;',
      },
      row: {
        command: 'create configmap {unstripped}',
        sees: (cell: Cell) => cell.object('v1/configmaps', 'unstripped'),
      },
    },
    {
      bug: 'the virtual label is written',
      mutant: {
        file: 'server/src/target/stripped-body.ts',
        from: 'isVirtualLabel(path) && value === cluster',
        to: 'isVirtualLabel(path) && !cluster',
      },
      row: {
        command: 'expose deploy web.clusterspace.m1 --port=80 --name={labelled}',
        sees: async (cell: Cell) =>
          expect((await cell.object('v1/services', 'labelled'))['spec'].selector).toEqual({ app: 'web' }),
      },
    },
    {
      bug: 'a list over many clusters is pruned by',
      mutant: {
        file: 'server/src/merge/merge.ts',
        from: 'if (clusters.length > 1) refusePruning',
        to: 'if (clusters.length < 1) refusePruning',
      },
      row: {
        command: 'apply --prune -l set={id} --prune-allowlist=core/v1/ConfigMap -f -',
        stdin: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"{pruning}","labels":{"set":"{id}"}}}',
        falls: { name: prunesMany },
      },
    },
  ];

  const [broken, sound] = versions;
  const cellOf = (kubectlVersion: (typeof versions)[number]) =>
    cells.find(({ view, version }) => view === 'name' && version === kubectlVersion)!;

  test.each(planted)('$bug: noticed', async ({ mutant, row }) => {
    await using product = await fleet.withMutant(mutant);
    await expect(runCell(row, cellOf(broken).through(product))).rejects.toThrow();
  });

  test.each(planted)('$bug: not so without the bug', ({ row }) => runCell(row, cellOf(sound)));

  test('the virtual label is not added: another member’s pod is taken', async () => {
    await using product = await fleet.withMutant({
      file: 'server/src/present/one-object.ts',
      from: 'const object = selector ?',
      to: 'const object = selector && !cluster ?',
    });
    for (const addressing of Object.keys(addresses) as Addressing[])
      expect(await execReaches(product, addressing), addressing).not.toEqual(twins);
  });
});
