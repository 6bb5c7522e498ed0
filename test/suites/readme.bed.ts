/** The tour of the README, run as it is written. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { shellFolder } from '@fleet/bed/shell-folder.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from './fleet.ts';
import { patternOf, readTour } from './src/tour.ts';

const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
const steps = readTour(readme, 'A five-minute tour');

let fleet: Fleet<'member1' | 'member2'>;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-tour-'));
  fleet = await startFleet({
    member1: { version: 'newest', workloads: true },
    member2: { version: 'older', workloads: true },
  });
  env = {
    ...process.env,
    KUBECONFIG: fleet.product.adminKubeconfig,
    KUBECACHEDIR: join(folder, 'cache'),
    PATH: `${await shellFolder(folder)}${delimiter}${process.env['PATH']}`,
  };
});

afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Both outputs as a terminal shows them, up to the first command that fails. */
async function run(commands: string, more: NodeJS.ProcessEnv = {}): Promise<{ code: number; output: string }> {
  const child = spawn('sh', ['-ec', `exec 2>&1\n${commands}`], {
    cwd: folder,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [[code], output] = await Promise.all([once(child, 'close'), text(child.stdout)]);
  return { code, output };
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
  const step = steps.find(({ commands }) => commands === 'kubectl get deployments\n')!;
  await using other = await fleet.withMutant({
    file: 'server/src/target/suffixed-name.ts',
    from: "const infix = '.clusterspace.';",
    to: "const infix = '.cluster.';",
  });
  const { code, output } = await run(step.commands, { KUBECONFIG: other.adminKubeconfig });
  expect({ code, shown: patternOf(step.shows!).test(output) }).toEqual({ code: 0, shown: false });
});
