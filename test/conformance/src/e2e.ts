/** Runs a selection of Kubernetes' own end-to-end tests against one API server and tells how each spec ended. */

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

export interface Suite {
  /** It and what it starts end with this member. */
  member: Member;
  at: Omit<KubeconfigParts, 'cluster'>;
  selection: Selection;
}

const e2e = kubernetes('e2e.test');

export const buildSuite = (): Promise<void> => build([e2e, kubernetes('kubectl')]);

/** Throws when no report was written, or none of the specs was run, as when what they need is not there. */
export async function runSuite({ member, at, selection }: Suite): Promise<Map<string, Outcome>> {
  const folder = join(member.dir, `e2e-${randomUUID()}`);
  const file = (name: string) => join(folder, name);
  await mkdir(folder);
  await writeFile(file('kubeconfig'), kubeconfig({ cluster: member.name, ...at }), { mode: 0o600 });
  await using log = await open(file('log'), 'w');
  const child = spawn(
    binaryPath(e2e),
    [
      `--kubeconfig=${file('kubeconfig')}`,
      `--kubectl-path=${kubectlPath()}`,
      // The bed's nodes are simulated: nothing of kube-system runs on them.
      ...['--provider=skeleton', '--allowed-not-ready-nodes=-1', '--minStartupPods=-1'],
      `--ginkgo.json-report=${file('report.json')}`,
      // One order for all sides.
      ...['--ginkgo.seed=1', '--ginkgo.no-color', '--ginkgo.timeout=1h'],
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
  const [, unprepared] = [...outcomes].find(([name]) => name.endsWith('BeforeSuite')) ?? [];
  if (unprepared) throw new Error(`e2e.test did not begin: ${unprepared.message}`);
  return outcomes;
}
