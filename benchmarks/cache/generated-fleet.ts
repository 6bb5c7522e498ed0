/** The product with generated members, each part a process of its own; pods are registered when `fill` is called. */

import { join } from 'node:path';
import { Api } from '@fleet/bed/api.ts';
import { type Heap, heapFlags, openHeap } from '@fleet/bed/heap.ts';
import { createAuthority } from '@fleet/bed/pki.ts';
import { until } from '@fleet/bed/until.ts';
import { fleetServe } from '../embedded/fleet-serve.ts';
import { type ChildProcess, startChildProcess } from '../scale/child-process.ts';
import type { GeneratedServer, MembersCommands } from './generated-members.ts';
import { type LoopPauses, ProductMetrics } from './product-metrics.ts';
import { registerKinds, registerMember } from './register.ts';

export interface GeneratedFleet extends AsyncDisposable {
  pid: number;
  server: { name: string; url: string; ca: string; cert: string; key: string };
  metrics: ProductMetrics;
  heap: Heap;
  members: ChildProcess<MembersCommands>;
  /** In a process of its own, so that it can be stopped. */
  lastMember: ChildProcess<MembersCommands>;
  /** Registers pods and waits until all are in the cache. */
  fill(): Promise<{ millis: number; loop: LoopPauses }>;
}

const fillWithin = 600_000;

/** `count`: of members; `pods`: of all of them together. `areDistinct`: no two pods have the same name, in whatever member. */
export async function startGeneratedFleet(count: number, pods: number, areDistinct = false): Promise<GeneratedFleet> {
  await using stack = new AsyncDisposableStack();
  const program = new URL('./generated-members.ts', import.meta.url).pathname;
  const start = () => stack.use(startChildProcess<MembersCommands>(program));
  const [members, lastMember] = [start(), start()];
  const authority = await createAuthority('bench');
  const { cert, key } = await authority.issue({ name: 'members', ips: ['127.0.0.1'] });
  const each = Math.ceil(pods / count);
  const names = Array.from({ length: count }, (_, index) => `member-${String(index).padStart(3, '0')}`);
  const startSome = (process: typeof members, from: number, to: number) => {
    const first = names.map((_, index) => (areDistinct ? index * each : 0)).slice(from, to);
    return process.call('start', { names: names.slice(from, to), pods: each, first, cert, key });
  };
  const servers: GeneratedServer[] = [
    ...(await startSome(members, 0, count - 1)),
    ...(await startSome(lastMember, count - 1, count)),
  ];
  const product = stack.use(
    await fleetServe({
      flags: ['--cache-memory', '8192'],
      nodeFlags: [...heapFlags, ...(process.env['BENCH_NODE_FLAGS']?.split(' ') ?? [])],
    }),
  );
  await product.start();
  const { origin, folder } = product.spec;
  const { ca, admin } = product.credentials;
  const api = stack.use(new Api(origin, ca, admin));
  for (const server of servers) await registerMember(product.api, server, authority.cert);
  const metrics = new ProductMetrics(api);
  await until('all members are ready', async () => (await readyMembers(product.api)) === count, { timeout: 60_000 });
  const pid = product.pids[0]!;
  const heap = stack.use(
    await openHeap({
      log: join(folder, 'logs/fleet-serve.log'),
      signal: (signal) => void process.kill(pid, signal),
    }),
  );
  const owned = stack.move();
  return {
    pid,
    server: { name: 'fleet', url: origin, ca, ...admin },
    metrics,
    heap,
    members,
    lastMember,
    async fill() {
      await metrics.pauses();
      const begun = performance.now();
      await registerKinds(product.api, [{ apiVersion: 'v1', kind: 'Pod' }]);
      const isFilled = async () => (await metrics.value('fleet_cache_objects')) === each * count;
      await until('the cache is filled', isFilled, { timeout: fillWithin, every: 100 });
      return { millis: performance.now() - begun, loop: await metrics.pauses() };
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

interface Cluster {
  status?: { conditions?: { type: string; status: string }[] };
}

async function readyMembers(api: Api): Promise<number> {
  const { items } = await api.object<{ items: Cluster[] }>('/apis/cluster.karmada.io/v1alpha1/clusters');
  return items.filter(({ status }) => status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'))
    .length;
}
