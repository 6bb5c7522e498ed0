/** Runs a script on two clusters at once and compares after each step, when both have settled; ends with a step that differs. */

import { until } from '@fleet/bed/until.ts';
import { Random } from '@fleet/differential/random.ts';
import type { ComparedCluster } from './compared-cluster.ts';
import { differencesOf } from './differences.ts';
import { type Hidden, normalText } from './normal-form.ts';
import type { Script, Step } from './script.ts';
import { unsettled } from './settled.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { tableRows } from './tables.ts';

/** What one cluster shows of a step. */
interface Shown {
  output: Snapshot;
  contents(): Snapshot;
}

/** They change nothing, and follow a step after which all had settled. */
const isReading = ({ args: [verb, action = ''] }: Step): boolean =>
  verb === 'get' || verb === 'wait' || (verb === 'rollout' && ['status', 'history'].includes(action));

/** Runs the step and waits until all has settled. */
async function show(cluster: ComparedCluster, step: Step, { script, namespace, patience }: RunOptions): Promise<Shown> {
  const { nodes = [] } = script;
  const hidden: Hidden = { names: cluster.names, nodes: nodes.length === 0 };
  const { code, stdout, stderr } = await cluster.kubectl(namespace, step.args, step.stdin);
  if (!isReading(step)) await cluster.seen(namespace);
  const open = () => unsettled(cluster.contents(namespace)).filter((name) => !step.stuck?.test(name));
  // What never settles is a difference like any other.
  const left = await until('settled', () => open().length === 0, { timeout: patience.settling }).then(() => [], open);
  const output = new Map([
    ['exit code', [String(code)]],
    ['stdout', outputLines(step, stdout, hidden)],
    ['stderr', outputLines({ args: [] }, stderr, hidden)],
    ['never settled', left.map((name) => normalText(name, hidden))],
  ]);
  return { output, contents: () => snapshotOf(cluster, namespace, nodes) };
}

function outputLines({ args, lastLine }: Step, text: string, hidden: Hidden): string[] {
  if (args[0] === 'get')
    return tableRows(text)
      .map((row) => normalText(row, hidden))
      .sort();
  const lines = normalText(text, hidden).split('\n').filter(Boolean);
  if (lastLine) return lines.slice(-1);
  // Of many objects in no order, and the same again while something is retried.
  return [...new Set(lines)].sort();
}

export interface RunOptions {
  script: Script;
  namespace: string;
  seed: string;
  real: ComparedCluster;
  simulated: ComparedCluster;
  /** In milliseconds. */
  patience: {
    settling: number;
    /** Of Events and the like, once all has settled. */
    equality: number;
  };
}

export interface ScriptRun {
  steps: number;
  differences: string[];
}

export async function runScript(options: RunOptions): Promise<ScriptRun> {
  const { script, namespace, seed, real, simulated } = options;
  await both(real.createNamespace(namespace), simulated.createNamespace(namespace));
  const differences: string[] = [];
  const steps = script.steps(new Random(`${seed}/${script.name}`), namespace);
  for (const [at, step] of steps.entries()) {
    const [theirs, ours] = await both(show(real, step, options), show(simulated, step, options));
    const shown = differencesOf(theirs.output, ours.output);
    const found = await differencesLeft(theirs, ours, options, shown.length > 0);
    const where = `${script.name}, step ${at + 1}: kubectl ${step.args.join(' ')}`;
    const all = [...shown, ...found];
    differences.push(...all.map((difference) => `${where}\n  ${difference}`));
    // What is left out by now is left out in each step after it.
    if (all.length > 0) break;
  }
  return { steps: steps.length, differences };
}

/** Neither goes on alone when the other fails. */
async function both<T>(one: Promise<T>, other: Promise<T>): Promise<[T, T]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

/** When Events and the like have had their time, unless it is known already that something differs. */
async function differencesLeft(theirs: Shown, ours: Shown, options: RunOptions, isKnown: boolean): Promise<string[]> {
  const { real, simulated, namespace, patience } = options;
  let seen = '';
  let found: string[] = [];
  const isSame = () => {
    const changes = [real, simulated].flatMap((cluster) => [cluster.changes(namespace), cluster.changes('')]).join();
    if (changes !== seen) found = differencesOf(theirs.contents(), ours.contents());
    seen = changes;
    return found.length === 0;
  };
  await until('the same', isSame, { timeout: isKnown ? 0 : patience.equality }).catch(() => {});
  return found;
}

/** What has come since: nothing may. */
export const lateDifferences = ({ script, namespace, real, simulated }: RunOptions): string[] =>
  differencesOf(
    snapshotOf(real, namespace, script.nodes ?? []),
    snapshotOf(simulated, namespace, script.nodes ?? []),
  ).map((difference) => `${script.name}, afterwards\n  ${difference}`);
