/** The tour of the README, run as it is written, on the demo that it begins with. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { shellFolder } from '@fleet/bed/shell-folder.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RunningDemo, startDemo } from './src/demo.ts';
import { runShell } from './src/run-shell.ts';
import { patternOf, readTour } from './src/tour.ts';

const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
const steps = readTour(readme, 'A five-minute tour');

let demo: RunningDemo;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-tour-'));
  demo = await startDemo();
  env = {
    ...process.env,
    KUBECONFIG: demo.kubeconfig,
    KUBECACHEDIR: join(folder, 'cache'),
    PATH: `${await shellFolder(folder)}${delimiter}${process.env['PATH']}`,
  };
  await podsStarted();
});

afterAll(async () => {
  await demo?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const run = (commands: string, more: NodeJS.ProcessEnv = {}) => runShell(commands, folder, { ...env, ...more });

/** A reader of the README takes longer than a pod to start, and to fail. */
async function podsStarted(): Promise<void> {
  const shows = patternOf(steps.find(({ commands }) => commands === 'kubectl get deployments -n shop\n')!.shows!);
  const patience = { timeout: 60_000, interval: 500 };
  await vi.waitUntil(async () => shows.test((await run('kubectl get deployments -n shop')).output), patience);
  const failing = 'kubectl logs -n shop orders-db-0.clusterspace.tokyo';
  await vi.waitUntil(async () => (await run(failing)).output.includes('HINT'), patience);
}

describe('the five-minute tour', () => {
  test('has steps', () => expect(steps.length).toBeGreaterThan(4));

  test.each(steps)('$commands', async ({ commands, shows }) => {
    const { code, output } = await run(commands);
    expect(code, output).toBe(0);
    if (shows !== undefined) expect(output).toMatch(patternOf(shows));
  });
});

test('negative control: a product that shows other names than the README is noticed', async () => {
  const step = steps.find(({ commands }) => commands === 'fleet get clusters\n')!;
  const named = steps.find(({ commands }) => commands === 'kubectl get deployments -n shop\n')!;
  await using other = await startDemo({
    file: 'server/src/target/suffixed-name.ts',
    from: "const infix = '.clusterspace.';",
    to: "const infix = '.cluster.';",
  });
  const shown = async ({ commands, shows }: typeof step) =>
    patternOf(shows!).test((await run(commands, { KUBECONFIG: other.kubeconfig })).output);
  expect({ clusters: await shown(step), deployments: await shown(named) }).toEqual({
    clusters: true,
    deployments: false,
  });
});
