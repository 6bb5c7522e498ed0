/** Runs Karmada's own end-to-end specs of its search proxy against a product, and tells how each ended. */

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { binaryPath, karmadaE2e } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import type { Product } from '@fleet/bed/product.ts';
import { markedEnv } from '@fleet/bed/run-mark.ts';
import { type Outcome, readReport } from '../report.ts';
import { named } from '../selection.ts';
import { KarmadaApiServer } from './api-server.ts';
import type { KarmadaScene } from './scene.ts';

export const buildSpecs = (): Promise<void> => build([karmadaE2e]);

/** The two containers in `search_test.go`. */
const searchSpecs = ['\\[karmada-search\\] karmada search testing', 'reconcile ResourceRegistry when clusters'];

/** A container whose specs are ordered does not run those behind one that failed: these are run again by themselves. */
export async function runSearchSpecs(scene: KarmadaScene): Promise<Map<string, Outcome>> {
  const outcomes = await runSpecs(scene, searchSpecs);
  for (const [spec, { message }] of outcomes) {
    if (!message?.includes('an earlier spec in an ordered container failed')) continue;
    const again = await runSpecs(scene, named([withoutNumber(spec)]).focus);
    const outcome = again.get(spec);
    if (outcome) outcomes.set(spec, outcome);
  }
  return outcomes;
}

const withoutNumber = (spec: string): string => spec.replace(/ \(\d+\)$/, '');

/** Throws when no report was written, or what is around the specs failed. */
export async function runSpecs(
  scene: KarmadaScene,
  focus: readonly string[],
  product: Product = scene.product,
): Promise<Map<string, Outcome>> {
  await using apiServer = await KarmadaApiServer.start(product, scene.namespaces);
  const { dir, run } = scene.members[0]!;
  const folder = join(dir, `karmada-e2e-${randomUUID()}`);
  const file = (name: string) => join(folder, name);
  await mkdir(folder);
  await writeFile(file('kubeconfig'), kubeconfig(apiServer.url), { mode: 0o600 });
  await using log = await open(file('log'), 'w');
  const child = spawn(
    binaryPath(karmadaE2e),
    [
      ...['--poll-interval=1s', '--poll-timeout=60s'],
      `--ginkgo.json-report=${file('report.json')}`,
      ...['--ginkgo.seed=1', '--ginkgo.no-color', '--ginkgo.timeout=30m'],
      ...focus.map((pattern) => `--ginkgo.focus=${pattern}`),
    ],
    {
      cwd: folder,
      env: { ...markedEnv(run), KUBECONFIG: file('kubeconfig') },
      stdio: ['ignore', log.fd, log.fd],
    },
  );
  await once(child, 'close');
  const report = await readFile(file('report.json'), 'utf8').catch(async (cause) => {
    throw new Error(`the specs wrote no report:\n${(await readFile(file('log'), 'utf8')).slice(-2_000)}`, { cause });
  });
  const outcomes = readReport(report);
  const unprepared = [...outcomes].find(([name]) => name.endsWith('BeforeSuite'));
  if (unprepared) throw new Error(`the specs did not begin: ${unprepared[1].message}`);
  return outcomes;
}

/** Both contexts that the suite asks for: no spec of these uses the one of the host. */
const kubeconfig = (server: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'fleet', cluster: { server } }],
    users: [{ name: 'admin', user: {} }],
    contexts: ['karmada-host', 'karmada-apiserver'].map((name) => ({
      name,
      context: { cluster: 'fleet', user: 'admin' },
    })),
    'current-context': 'karmada-apiserver',
  });
