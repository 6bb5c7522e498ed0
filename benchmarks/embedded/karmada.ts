/** With all of Karmada's definitions: what its controllers do most, status patches of ResourceBindings and Works, and lists. */

import { until } from '@fleet/bed/until.ts';
import type { Sides } from '../embedded.ts';
import type { LoadGenerator } from '../load.ts';
import { cpuTime } from '../memory.ts';
import { inTurns } from '../ratio.ts';
import { karmadaDefinitions } from './karmada-definitions.ts';
import { binding, bindingStatus, work, workStatus } from './karmada-objects.ts';
import type { Taken } from './requests.ts';
import type { Side } from './side.ts';
import type { Table } from './table.ts';

const objects = 1_000;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Kind {
  name: string;
  path: string;
  object: object;
  status: object;
}

const kinds: readonly Kind[] = [
  {
    name: 'ResourceBindings',
    path: '/apis/work.karmada.io/v1alpha2/namespaces/karmada/resourcebindings',
    object: binding,
    status: bindingStatus,
  },
  {
    name: 'Works',
    path: '/apis/work.karmada.io/v1alpha1/namespaces/karmada/works',
    object: work,
    status: workStatus,
  },
];

export async function benchKarmada(sides: Sides, load: LoadGenerator, table: Table, rounds: number): Promise<void> {
  const all = await karmadaDefinitions();
  for (const side of [sides.ours, sides.theirs]) await fill(side, all, load);
  for (const kind of kinds) {
    const inBoth = (measure: (side: Side) => Promise<Taken>) =>
      inTurns({ ours: () => measure(sides.ours), theirs: () => measure(sides.theirs) }, rounds);
    const alone = await inBoth((side) => patches(side, kind, load, { connections: 1, requests: 200 }));
    table.requests(`status patch of ${kind.name}`, alone.ours, alone.theirs, 1.2);
    const many = await inBoth((side) => patches(side, kind, load, { connections: 32, requests: 1_000 }));
    table.requests(`status patch of ${kind.name}, 32 at once`, many.ours, many.theirs, 1.2);
    const lists = await inBoth((side) => listed(side, kind, load));
    table.requests(`list of ${objects} ${kind.name}`, lists.ours, lists.theirs, 1);
  }
  for (const kind of kinds) {
    const [ours, theirs] = [await burst(sides.ours, kind, load), await burst(sides.theirs, kind, load)];
    table.refused(`status patches of ${kind.name} refused, 400 at once`, ours, theirs, objects);
  }
}

async function fill({ api, spec, tls }: Side, all: readonly object[], load: LoadGenerator): Promise<void> {
  await api.object('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: 'karmada' } } });
  for (const body of all) await api.object(definitions, { method: 'POST', body });
  for (const { name, path, object } of kinds) {
    await until(`${name} are served`, async () => (await api.ask(path)).code === 200);
    const job = { origin: spec.origin, tls, path: `${spec.base}${path}`, connections: 32, requests: objects };
    await load.run({ ...job, body: JSON.stringify(object) });
  }
}

/** What is reported is never the same. */
let reports = 1;

async function patches(
  { spec, tls, pids }: Side,
  { path, status }: Kind,
  load: LoadGenerator,
  { connections, requests }: { connections: number; requests: number },
): Promise<Taken> {
  const target = { origin: spec.origin, tls, path: `${spec.base}${path}/item-{of}/status`, of: objects };
  const job = { ...target, connections, requests, patches: true, body: JSON.stringify(status), first: reports };
  reports += requests;
  let seconds = 0;
  const cpu = await cpuTime(pids, async () => {
    ({ seconds } = await load.run(job));
  });
  return { rate: requests / seconds, cpu: cpu / requests };
}

async function listed({ spec, tls, pids }: Side, { path }: Kind, load: LoadGenerator): Promise<Taken> {
  const requests = 10;
  let seconds = 0;
  const cpu = await cpuTime(pids, async () => {
    const job = { origin: spec.origin, tls, path: `${spec.base}${path}`, connections: 1, requests };
    ({ seconds } = await load.run(job));
  });
  return { rate: requests / seconds, cpu: cpu / requests };
}

async function burst({ spec, tls }: Side, { path, status }: Kind, load: LoadGenerator): Promise<number> {
  const target = { origin: spec.origin, tls, path: `${spec.base}${path}/item-{of}/status`, of: objects };
  const job = { ...target, connections: 400, requests: objects, body: JSON.stringify(status), first: reports };
  reports += objects;
  const { refused } = await load.run({ ...job, patches: true, countsRefused: true });
  return refused;
}
