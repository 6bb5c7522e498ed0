/** Requests to several clusters at once while agents come and go: each is answered, by its own cluster, and writes reach the cluster that they name. */

import type { FaultyFleet, FaultyMember } from './faulty-agents.ts';
import { maps } from './faulty-agents.ts';

/** AGENT-6: what is silent is noticed by then, so no request may take longer. */
const longest = 45_000;

export interface Load {
  /** Reads that were answered. */
  reads: number;
  /** Writes, by the code of the answer. */
  writes: Map<number, string[]>;
  /** Messages about what should not happen, each once. */
  wrong: Set<string>;
  slowest: number;
  /** Returns when all under way have ended. */
  stop(): Promise<void>;
}

interface Answered {
  metadata: { name: string };
  data?: { cluster?: string };
  items?: Answered[];
}

/** Names by which a client recognises the clusters: content, and in the merged view the suffix. */
const clustersIn = (answer: Answered): (string | undefined)[] =>
  (answer.items ?? [answer])
    .filter(({ metadata }) => metadata.name.startsWith('who'))
    .map(({ metadata, data }) => {
      const suffix = metadata.name.split('.clusterspace.')[1];
      return suffix === undefined || suffix === data?.cluster ? data?.cluster : `${data?.cluster} as ${suffix}`;
    });

/** So many of each kind of request to each cluster at a time, one after the other. */
export function beginLoad<Name extends string>(
  { api, members }: FaultyFleet<Name>,
  names: readonly Name[],
  width: number,
): Load {
  let isOver = false;
  const load: Omit<Load, 'stop'> = { reads: 0, writes: new Map(), wrong: new Set(), slowest: 0 };
  const ask = async (what: string, path: string, options: { method?: string; body?: object } = {}) => {
    const begun = performance.now();
    try {
      return await api.ask(path, { ...options, timeout: longest });
    } catch (error) {
      load.wrong.add(`${what}: no answer (${(error as Error).name})`);
      return undefined;
    } finally {
      load.slowest = Math.max(load.slowest, performance.now() - begun);
    }
  };
  const read = async (name: Name, what: string, path: string) => {
    const answer = await ask(what, path);
    if (!answer) return;
    load.reads++;
    if (answer.code !== 200) {
      load.wrong.add(`${what}: ${answer.code}`);
      return;
    }
    const from = clustersIn(JSON.parse(answer.body) as Answered);
    if (from.length !== 1 || from[0] !== name) load.wrong.add(`${what}: answered by another cluster`);
  };
  let written = 0;
  const write = async (name: Name) => {
    const object = `new-${++written}`;
    const body = { metadata: { name: object }, data: { cluster: name } };
    const answer = await ask('create', `/clusters/${name}${maps}`, { method: 'POST', body });
    if (!answer) return;
    load.writes.set(answer.code, [...(load.writes.get(answer.code) ?? []), `${name}/${object}`]);
    if (![201, 503, 504].includes(answer.code)) load.wrong.add(`create: ${answer.code}`);
  };
  const selected = (name: Name) => `?labelSelector=clusterspace%3D${name}&fieldSelector=metadata.name%3Dwho`;
  const kinds: ((name: Name) => Promise<void>)[] = [
    (name) => read(name, 'get', `/clusters/${name}${maps}/who`),
    (name) => read(name, 'list', `/clusters/${name}${maps}?fieldSelector=metadata.name%3Dwho`),
    (name) => read(name, 'merged list', `${maps}${selected(name)}`),
    write,
  ];
  const lane = async (name: Name, kind: (name: Name) => Promise<void>) => {
    while (!isOver) await kind(name);
  };
  const lanes = names.flatMap((name) => kinds.flatMap((kind) => Array.from({ length: width }, () => lane(name, kind))));
  return Object.assign(load, {
    async stop() {
      isOver = true;
      await Promise.all(lanes);
      for (const name of names) await checkWrites(members[name], load);
    },
  });
}

/** 201: it is there. 503: it surely is not (NAME-8). 504: nobody knows. */
async function checkWrites({ name, cluster }: FaultyMember, { writes, wrong }: Omit<Load, 'stop'>): Promise<void> {
  const { items } = await cluster.client.list<Answered>(maps);
  const there = new Set(items.map(({ metadata }) => `${name}/${metadata.name}`));
  const foreign = items.some(({ data }) => data?.cluster !== undefined && data.cluster !== name);
  if (foreign) wrong.add('create: carried out by another cluster');
  const own = (code: number) => (writes.get(code) ?? []).filter((one) => one.startsWith(`${name}/`));
  if (own(201).some((one) => !there.has(one))) wrong.add('create: 201, and not there');
  if (own(503).some((one) => there.has(one))) wrong.add('create: 503, and carried out');
}
