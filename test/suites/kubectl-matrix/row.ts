/** One row of the matrix: a command, how its effect is seen in the member, and the views in which it does less. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProductKubectlOptions } from '@fleet/bed/product.ts';
import { expect } from 'vitest';
import type { Cell, View } from './cell.ts';

/** `no`: refused, with this error. `limited`: done, except for `because`. */
export type Shortfall = { is: 'no'; because: string; error: string } | { is: 'limited'; because: string };

type Falls = Partial<Record<View, Shortfall>>;

export interface Row {
  /** `{app}` is the cell's object of that name; several are run one after the other. */
  command: string | readonly string[];
  /** Typed into the command. */
  stdin?: string;
  /** Where the command is run, by name. */
  files?: Record<string, string>;
  options?: ProductKubectlOptions;
  /** Other than 0. */
  code?: number;
  /** Fails unless the member has what was asked for, or unless what was printed is the member's. `printed` is the last command's. */
  sees?(cell: Cell, printed: string): unknown;
  /** Instead of running the command as it stands: streams, and what needs something to happen meanwhile. */
  run?(cell: Cell): Promise<void>;
  falls?: Falls;
}

export const commandsOf = ({ command }: Row): readonly string[] => (typeof command === 'string' ? [command] : command);

/** How the table shows it. */
export const shownCommand = (row: Row): string =>
  commandsOf(row)
    .map(
      (command) =>
        `kubectl ${command.replaceAll('{id}', 'x').replaceAll(/\{([a-z]+)\}/g, (_, base: string) => base.toUpperCase())}`,
    )
    .filter((command, index, all) => all.indexOf(command) === index)
    .join(' && ');

export async function runCell(row: Row, cell: Cell): Promise<void> {
  const fall = row.falls?.[cell.view];
  if (fall?.is === 'no') return refusedWith(row, cell, fall.error);
  if (row.run) return row.run(cell);
  let printed = '';
  await using placed = await placedOptions(row, (text) => cell.filled(text));
  for (const command of commandsOf(row)) {
    const { code, stdout, stderr } = await cell.kubectl(cell.words(command), placed.options);
    if (code !== (row.code ?? 0)) throw new Error(`${cell.id}: ${command}: exit code ${code}: ${stderr}`);
    printed = stdout;
  }
  await row.sees?.(cell, printed);
}

/** What does not work in the table must not: once it does, the table has to be updated. */
async function refusedWith(row: Row, cell: Cell, error: string): Promise<void> {
  await using placed = await placedOptions(row, (text) => cell.filled(text));
  for (const command of commandsOf(row)) {
    const { code, stderr } = await cell.kubectl(cell.words(command), placed.options);
    if (code === 0) continue;
    expect(stderr, `${cell.id}: ${command}`).toContain(error);
    return;
  }
  throw new Error(`${cell.id}: "${shownCommand(row)}" works now, though it does not in the table`);
}

interface Placed extends AsyncDisposable {
  options: ProductKubectlOptions;
}

/** What a row's commands are run with, names filled in. */
export async function placedOptions({ stdin, files, options }: Row, filled: (text: string) => string): Promise<Placed> {
  const given = { ...options, ...(stdin === undefined ? {} : { stdin: filled(stdin) }) };
  if (!files) return { options: given, async [Symbol.asyncDispose]() {} };
  const cwd = await mkdtemp(join(tmpdir(), 'fleet-matrix-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), filled(text));
  return { options: { ...given, cwd }, [Symbol.asyncDispose]: () => rm(cwd, { recursive: true }) };
}

const must = 'a create must name its cluster';

/** What makes an object needs to know where (NAME-6). */
export const makes: Falls = {
  plain: { is: 'no', because: 'A new object must name its cluster, in its name or its namespace.', error: must },
  any: { is: 'no', because: 'A new object must name its cluster, in its name or its namespace.', error: must },
};

/** The same where a namespace cannot name it. */
export const makesClusterScoped: Falls = {
  ...makes,
  namespace: { is: 'no', because: 'It is in no namespace, so its name must name the cluster.', error: must },
};

/** What else the list held would be deleted, in whatever cluster (URL-12). */
export const prunesMany = {
  is: 'no',
  because:
    'A list over many clusters is not pruned by, as other clusters’ objects would be deleted. Name one by `-n`, or by `clusterspace=m1` in `-l` and among the labels. Without `--prune-allowlist` Namespaces and PersistentVolumes are pruned, too, which no namespace names.',
  error: 'pruning over many clusters is not supported',
} as const;
