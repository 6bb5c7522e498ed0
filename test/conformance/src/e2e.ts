/** Runs a selection of Kubernetes' own end-to-end tests against one API server and returns how each spec ended. */

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { binaryPath, kubectlPath, kubernetes } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import { type KubeconfigParts, kubeconfig } from '@fleet/bed/kubeconfig.ts';
import type { Member } from '@fleet/bed/member.ts';
import { markedEnv } from '@fleet/bed/run-mark.ts';
import { type Outcome, readReport } from './report.ts';
import type { Selection } from './selection.ts';

/** Whoever it and what it starts end with. */
type Owner = Pick<Member, 'name' | 'dir' | 'run'>;

export interface Suite {
  member: Owner;
  /** Parts of a kubeconfig, or a whole one. */
  at: Omit<KubeconfigParts, 'cluster'> | string;
  selection: Selection;
  /** Of all its specs together, as Go writes it. */
  timeout?: string;
}

const e2e = kubernetes('e2e.test');

export const buildSuite = (): Promise<void> => build([e2e, kubernetes('kubectl')]);

/** The full names of what is selected; none of it is run. */
export const listSpecs = async (member: Owner, selection: Selection): Promise<string[]> =>
  [...(await runE2e(member, selection, ['--ginkgo.dry-run']))].flatMap(([spec, { passed }]) => (passed ? [spec] : []));

/** Throws when no report was written, or none of the specs was run, as when what they need is not there. */
export async function runSuite({ member, at, selection, timeout = '1h' }: Suite): Promise<Map<string, Outcome>> {
  const path = join(member.dir, `e2e-${randomUUID()}.kubeconfig`);
  const config = typeof at === 'string' ? at : kubeconfig({ cluster: member.name, ...at });
  await writeFile(path, config, { mode: 0o600 });
  const outcomes = await runE2e(member, selection, [
    `--kubeconfig=${path}`,
    `--kubectl-path=${kubectlPath()}`,
    // The bed's nodes are simulated: nothing of kube-system runs on them.
    ...['--provider=skeleton', '--allowed-not-ready-nodes=-1', '--minStartupPods=-1'],
    `--ginkgo.timeout=${timeout}`,
  ]);
  const [, unprepared] = [...outcomes].find(([name]) => name.endsWith('BeforeSuite')) ?? [];
  if (unprepared) throw new Error(`e2e.test did not begin: ${unprepared.message}`);
  return outcomes;
}

async function runE2e(member: Owner, selection: Selection, flags: string[]): Promise<Map<string, Outcome>> {
  const folder = join(member.dir, `e2e-${randomUUID()}`);
  const file = (name: string) => join(folder, name);
  await mkdir(folder);
  await using log = await open(file('log'), 'w');
  const child = spawn(
    binaryPath(e2e),
    [
      ...flags,
      `--ginkgo.json-report=${file('report.json')}`,
      // One order for all sides.
      ...['--ginkgo.seed=1', '--ginkgo.no-color'],
      ...selection.focus.map((pattern) => `--ginkgo.focus=${pattern}`),
      ...selection.skip.map((pattern) => `--ginkgo.skip=${pattern}`),
    ],
    { cwd: folder, env: markedEnv(member.run), stdio: ['ignore', log.fd, log.fd] },
  );
  await once(child, 'close');
  const words = async () => (await readFile(file('log'), 'utf8')).slice(-2_000);
  const report = await readFile(file('report.json'), 'utf8').catch(async (cause) => {
    throw new Error(`e2e.test wrote no report:\n${await words()}`, { cause });
  });
  const outcomes = readReport(report);
  if (outcomes.size === 0) throw new Error(`e2e.test ran nothing:\n${await words()}`);
  return outcomes;
}
