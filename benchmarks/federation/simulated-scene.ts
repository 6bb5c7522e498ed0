/** Simulated members, the product with federation and its own control plane, and what they are asked while it works. */

import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Api } from '@fleet/bed/api.ts';
import { until } from '@fleet/bed/until.ts';
import { type LoadGenerator, startLoadGenerator } from '../load.ts';
import { memoryOf } from '../memory.ts';
import { type ChildProcess, startChildProcess } from '../scale/child-process.ts';
import { type Fleet, startFleet } from '../scale/fleet.ts';
import type { FederationMembersCommands } from './members.ts';
import { type Kind, namespace } from './templates.ts';
import { minus, totalsOf, type WriteCounts } from './write-counts.ts';

export interface Scene {
  names: string[];
  fleet: Fleet;
  members: ChildProcess<FederationMembersCommands>;
  load: LoadGenerator;
  /** The control plane, as the administrator. */
  api: Api;
  /** By the product to its control plane, and to members. */
  writes(): Promise<Writes>;
  /** The longest turn of the product's event loop since this was last asked, in milliseconds of CPU time, and how late it was. */
  longestTurn(): Promise<{ work: number; delay: number }>;
  /** Waits until nothing is written any more; returns when the last write was, as `performance.now()`. */
  untilAtRest(): Promise<number>;
}

export interface Writes {
  controlPlane: WriteCounts;
  members: WriteCounts;
}

export const difference = (after: Writes, before: Writes): Writes => ({
  controlPlane: minus(after.controlPlane, before.controlPlane),
  members: minus(after.members, before.members),
});

const loader = new URL('./count-writes-loader.ts', import.meta.url).href;
/** The product's counts are half a second old at most. */
const lookEvery = 500;
const quietFor = 3_000;

export async function startScene(
  stack: AsyncDisposableStack,
  { count, nodes, kind }: { count: number; nodes: number; kind: Kind },
): Promise<Scene> {
  const file = new URL('./members.ts', import.meta.url).pathname;
  const members = stack.use(startChildProcess<FederationMembersCommands>(file));
  const names = Array.from({ length: count }, (_, index) => `member-${String(index).padStart(3, '0')}`);
  const started = await members.call('start', { names, nodes });
  const counted = join(tmpdir(), `fleet-bench-writes-${process.pid}.json`);
  stack.defer(() => rm(counted, { force: true }));
  const fleet = stack.use(
    await startFleet({
      flags: ['--federation'],
      nodeFlags: ['--import', loader],
      env: { BENCH_WRITES_FILE: counted },
      federationKinds: [kind.granted],
    }),
  );
  await fleet.join(started);
  const { product, server } = fleet;
  await untilDiscovered(product.api, count);
  const metrics = stack.use(new Api(server.url, server.ca, server));
  const scene: Omit<Scene, 'untilAtRest'> = {
    names,
    fleet,
    members,
    load: stack.use(startLoadGenerator()),
    api: product.api,
    writes: async () => ({
      controlPlane: JSON.parse(await readFile(counted, 'utf8')) as WriteCounts,
      members: await members.call('writes', undefined),
    }),
    async longestTurn() {
      const { body } = await metrics.ask('/metrics', { timeout: 60_000 });
      const of = (what: string) =>
        1_000 * Number(new RegExp(`fleet_event_loop_${what}_seconds\\{quantile="1"\\} (\\S+)`).exec(body)?.[1]);
      return { work: of('work'), delay: of('delay') };
    },
  };
  const untilAtRest = () => waitForRest(scene);
  await product.api.object('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: namespace } } });
  const hasNamespaces = async () => (await members.call('writes', undefined))['create namespaces']! >= count;
  await until('all members have the namespace', hasNamespaces, { timeout: 300_000, every: lookEvery });
  await untilAtRest();
  console.log(
    `${count} members joined and at rest; memory: the product ${memoryOf(fleet.pid).toFixed(0)} MiB, ` +
      `members ${memoryOf(members.pid).toFixed(0)} MiB`,
  );
  return { ...scene, untilAtRest };
}

interface Cluster {
  status?: { apiEnablements?: unknown[] };
}

/** A Cluster is Ready before it is known what it serves, and gets nothing until then. */
async function untilDiscovered(api: Api, count: number): Promise<void> {
  const are = async () => {
    const { items } = await api.object<{ items: Cluster[] }>('/apis/cluster.karmada.io/v1alpha1/clusters', {
      timeout: 60_000,
    });
    return items.filter(({ status }) => (status?.apiEnablements?.length ?? 0) > 0).length === count;
  };
  await until('what all members serve is known', are, { timeout: 600_000, every: 1_000 });
}

async function waitForRest({ writes }: Pick<Scene, 'writes'>): Promise<number> {
  const sum = async () => {
    const { controlPlane, members } = await writes();
    const { written, refused } = totalsOf(controlPlane);
    return written + refused + totalsOf(members).written;
  };
  let known = await sum();
  let since = performance.now();
  while (performance.now() - since < quietFor) {
    await pause(lookEvery);
    const now = await sum();
    if (now !== known) since = performance.now();
    known = now;
  }
  return since;
}
