/** Creates, reads and lists of ConfigMaps of 1 kB. */

import type { Sides } from '../embedded.ts';
import type { LoadGenerator } from '../load.ts';
import { cpuTime } from '../memory.ts';
import { inTurns } from '../ratio.ts';
import type { Side } from './side.ts';
import type { Table } from './table.ts';

export interface Taken {
  /** Requests a second. */
  rate: number;
  /** Milliseconds of the server's CPU for each. */
  cpu: number;
}

interface Case {
  name: string;
  path: string;
  connections: number;
  requests: number;
  creates?: boolean;
  /** The least ratio that meets the aim. */
  aim: number;
}

const configMaps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;

const list = (size: number, query: string, requests: number): Case => ({
  name: `list of ${size}${query && ', from the cache'}`,
  path: `${configMaps(`list-${size}`)}${query}`,
  connections: 1,
  requests,
  aim: 1,
});

const cases: readonly Case[] = [
  { name: 'create', path: configMaps('created'), connections: 1, requests: 200, creates: true, aim: 0.5 },
  {
    name: 'create, 32 at once',
    path: configMaps('created'),
    connections: 32,
    requests: 1_000,
    creates: true,
    aim: 0.5,
  },
  { name: 'get', path: `${configMaps('list-1000')}/item-{n}`, connections: 1, requests: 500, aim: 1 },
  { name: 'get, 32 at once', path: `${configMaps('list-1000')}/item-{n}`, connections: 32, requests: 1_000, aim: 1 },
  list(1_000, '', 10),
  list(1_000, '?resourceVersion=0', 10),
  list(10_000, '', 4),
  list(10_000, '?resourceVersion=0', 4),
];

const sizes = [1_000, 10_000];

const bodyNamed = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: 'x'.repeat(1_024) } });

export async function fill({ ours, theirs }: Sides, load: LoadGenerator): Promise<void> {
  for (const { api, spec, tls } of [ours, theirs]) {
    for (const namespace of ['created', ...sizes.map((size) => `list-${size}`)]) {
      await api.object('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: namespace } } });
    }
    for (const requests of sizes) {
      const path = `${spec.base}${configMaps(`list-${requests}`)}`;
      await load.run({ origin: spec.origin, tls, path, connections: 32, requests, body: bodyNamed('item-{n}') });
    }
  }
}

export async function benchRequests(sides: Sides, load: LoadGenerator, table: Table, rounds: number): Promise<void> {
  for (const one of cases) {
    const run = (side: Side) => () => measure(side, one, load);
    const taken = await inTurns({ ours: run(sides.ours), theirs: run(sides.theirs) }, rounds);
    table.requests(one.name, taken.ours, taken.theirs, one.aim);
  }
}

/** Names that were never used, for whoever creates. */
let created = 0;

async function measure({ spec, tls, pids }: Side, one: Case, load: LoadGenerator): Promise<Taken> {
  const { connections, requests } = one;
  const creating = one.creates ? { body: bodyNamed('made-{n}'), first: created } : {};
  if (one.creates) created += requests;
  let seconds = 0;
  const cpu = await cpuTime(pids, async () => {
    const job = { origin: spec.origin, tls, path: `${spec.base}${one.path}`, connections, requests };
    ({ seconds } = await load.run({ ...job, ...creating }));
  });
  return { rate: requests / seconds, cpu: cpu / requests };
}
