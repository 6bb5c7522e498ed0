/** What the documentation lists of a running product is what there is: its metrics and the files of its data directory. */

import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { requestAs } from './src/request.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/configuration.md'), 'utf8');
let fleet: SimulatedFleet;

beforeAll(async () => {
  fleet = await startFleet({ members: [] });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

/** What stands as code in the first column of the table below a heading. */
function firstColumnBelow(heading: string): string[] {
  const [, behind = ''] = page.split(`\n## ${heading}\n`);
  const rows = behind
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, code]) => code!));
}

test('metrics', async () => {
  const { status, body } = await requestAs(await fleet.config(), '/metrics', { accept: 'text/plain' }, true);
  expect(status).toBe(200);
  const names = [...(body as string).matchAll(/^# TYPE (fleet_\w+)/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(firstColumnBelow('Metrics').toSorted()).toEqual(names.toSorted());
});

test('files of the data directory', () => {
  const { dataDir, log } = fleet.product;
  const files = globSync('**/*', { cwd: dataDir, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(dataDir, join(parentPath, name)))
    // The suite's own, and SQLite's log, which the page names beside the store.
    .filter((file) => file !== relative(dataDir, log) && file !== 'control-plane/store.db-wal');
  expect(files.toSorted()).toEqual(firstColumnBelow('The data directory').toSorted());
});
