/** Simulated clusters do with kubectl's commands what Kubernetes does: controllers, scheduler, Events, tables and answers. */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { anySeed } from '@fleet/bed/any-seed.ts';
import { binaryPath, kubernetesVersions, kubeTypes } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import { go } from '@fleet/bed/go.ts';
import type { PodTemplate } from '@fleet/simulator/controllers/shared/objects.ts';
import { templateHash } from '@fleet/simulator/controllers/shared/pod-template.ts';
import { eventTexts } from '@fleet/simulator/nodes/kubelet-texts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningCluster, startReal, startSimulated } from './kubectl-scripts/clusters.ts';
import { kubeletTexts, wrongText } from './kubectl-scripts/kubelet-texts.ts';
import { leftOut } from './kubectl-scripts/left-out.ts';
import { type PlantedBug, plantedBugs } from './kubectl-scripts/mutants.ts';
import { lateDifferences, type RunOptions, runScript, type ScriptRun } from './kubectl-scripts/run-script.ts';
import { scripts } from './kubectl-scripts/scripts/all.ts';

const seed = process.env['KUBECTL_SCRIPTS_SEED'] ?? String(anySeed());
const timeout = 240_000;

let real: RunningCluster;
let simulated: RunningCluster;
const runs = new Map<string, { options: RunOptions; result: Promise<ScriptRun> }>();

/** Each in a namespace of its own: much of the time is spent waiting. */
const atOnce = 6;

beforeAll(async () => {
  [real, simulated] = await Promise.all([startReal(), startSimulated(Number(seed))]);
  const lanes = Array.from({ length: atOnce }, () => Promise.resolve<unknown>(undefined));
  for (const [index, script] of scripts.entries()) {
    const patience = { settling: 30_000, equality: 15_000 };
    const clusters = { real: real.cluster, simulated: simulated.cluster };
    const options: RunOptions = { script, namespace: script.name, seed, patience, ...clusters };
    const result = lanes[index % atOnce]!.then(() => runScript(options));
    lanes[index % atOnce] = result.catch(() => {});
    runs.set(script.name, { options, result });
  }
});

afterAll(async () => {
  await simulated?.[Symbol.asyncDispose]();
  await real?.[Symbol.asyncDispose]();
});

test.each(scripts.map(({ name }) => name))('%s: the same after each step', { timeout }, async (name) => {
  const { steps, differences } = await runs.get(name)!.result;
  expect(differences, `seed ${seed}`).toEqual([]);
  expect(steps).toBeGreaterThan(10);
});

test('nothing more happens afterwards, and no controller reported an error', { timeout }, async () => {
  await Promise.all([...runs.values()].map(({ result }) => result));
  const late = [...runs.values()].flatMap(({ options }) => lateDifferences(options));
  expect(late, `seed ${seed}`).toEqual([]);
  expect(await simulated.errors()).toEqual([]);
});

async function withBug({ name: _, noticed: __, scriptName: name, ...bug }: PlantedBug): Promise<ScriptRun> {
  await using mutant = await startSimulated(Number(seed), bug);
  // Awaited here: the cluster goes when this returns.
  return await runScript({
    script: scripts.find((script) => script.name === name)!,
    namespace: `bug-${plantedBugs.findIndex(({ from }) => from === bug.from)}`,
    seed,
    real: real.cluster,
    simulated: mutant.cluster,
    // A real cluster may take this long where others keep the machine busy.
    patience: { settling: 20_000, equality: 5_000 },
  });
}

/** Each on a cluster of its own, two at a time. */
const planted = new Map<string, Promise<ScriptRun>>();

function begun(index: number): Promise<ScriptRun> | undefined {
  const bug = plantedBugs[index];
  if (!bug) return undefined;
  const running = planted.get(bug.name) ?? withBug(bug);
  running.catch(() => {});
  planted.set(bug.name, running);
  return running;
}

test.each(plantedBugs.map(({ name, noticed }, index) => [name, index, noticed] as const))(
  'negative control: %s',
  { timeout },
  async (_, index, noticed) => {
    await Promise.allSettled([...runs.values()].map(({ result }) => result));
    const running = begun(index);
    begun(index + 1);
    expect((await running)?.differences.join('\n')).toMatch(noticed);
  },
);

test('the documentation lists what is left out', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/differences.md'), 'utf8');
  for (const [what, why] of leftOut) expect(page).toContain(`| ${what} | ${why} |`);
});

const run = promisify(execFile);

test('pod templates have the hash that Go computes', { timeout }, async () => {
  await build([kubeTypes]);
  const count = 300;
  const { stdout } = await run(binaryPath(kubeTypes), ['hashes', seed, String(count)], { maxBuffer: 2 ** 28 });
  const samples = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { template: PodTemplate; hash: string });
  expect(samples).toHaveLength(count);
  const wrong = samples.filter(({ template, hash }) => templateHash(template, undefined) !== hash);
  expect(wrong, `seed ${seed}`).toEqual([]);
});

test("a kubelet's reasons and messages are those of Kubernetes' sources", { timeout }, async () => {
  const module = `k8s.io/kubernetes@${kubernetesVersions.newest}`;
  const { Dir } = JSON.parse(await go(['mod', 'download', '-json', module], { cwd: tmpdir() })) as { Dir: string };
  const sources = new Map<string, string>();
  const read = (file: string): string => {
    const text = sources.get(file) ?? readFileSync(join(Dir, file), 'utf8');
    sources.set(file, text);
    return text;
  };
  expect(kubeletTexts.flatMap((text) => wrongText(text, read))).toEqual([]);
  const table = readFileSync(join(import.meta.dirname, 'kubectl-scripts/kubelet-texts.ts'), 'utf8');
  for (const name of Object.keys(eventTexts)) expect(table).toContain(`eventTexts.${name}(`);
  const first = kubeletTexts[0]!;
  const altered = { ...eventTexts.pulling('a:1'), message: 'Pulls image "a:1"' };
  expect(wrongText({ ...first, ours: altered }, read)).toHaveLength(1);
  expect(
    wrongText({ ...first, ours: { ...altered, ...eventTexts.pulling('a:1'), type: 'Warning' } }, read),
  ).toHaveLength(1);
});
