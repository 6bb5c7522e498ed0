/** Runs Karmada's own end-to-end suite against a server, and returns how each of the chosen specs ended. */

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { binaryPath, karmadaE2e } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import type { Member } from '@fleet/bed/member.ts';
import { markedEnv } from '@fleet/bed/run-mark.ts';
import { type Outcome, readReport } from '../report.ts';
import { type SpecsServer, specsKubeconfig } from './kubeconfig.ts';

export const buildSpecs = (): Promise<void> => build([karmadaE2e]);

export interface SuiteRun {
  server: SpecsServer;
  /** Its folder is where reports and logs go, and the suite ends with it at the latest. */
  beside: Member;
  /** Of the suite and of ginkgo. */
  flags: readonly string[];
}

/** Throws when no report was written, or what is around the specs failed. */
export async function runSuite({ server, beside: { dir, run }, flags }: SuiteRun): Promise<Map<string, Outcome>> {
  const folder = join(dir, `karmada-e2e-${randomUUID()}`);
  const file = (name: string) => join(folder, name);
  await mkdir(folder);
  await writeFile(file('kubeconfig'), specsKubeconfig(server), { mode: 0o600 });
  await using log = await open(file('log'), 'w');
  const report = ['--ginkgo.seed=1', '--ginkgo.no-color', `--ginkgo.json-report=${file('report.json')}`];
  const child = spawn(binaryPath(karmadaE2e), [...report, ...flags], {
    cwd: folder,
    env: { ...markedEnv(run), KUBECONFIG: file('kubeconfig') },
    stdio: ['ignore', log.fd, log.fd],
  });
  await once(child, 'close');
  const written = await readFile(file('report.json'), 'utf8').catch(async (cause) => {
    throw new Error(`the specs wrote no report:\n${(await readFile(file('log'), 'utf8')).slice(-2_000)}`, { cause });
  });
  const outcomes = readReport(written);
  const unprepared = [...outcomes].find(([name]) => name.endsWith('BeforeSuite'));
  if (unprepared) throw new Error(`the specs did not begin: ${unprepared[1].message}`);
  return outcomes;
}
