/** Determines where a watch begins: at the positions in the request, or with the members' current objects (RV-6, WATCH-3). */

import type { ListQuery } from '../merge/list-query.ts';
import { type Answered, type Missing, settle } from '../merge/settle.ts';
import type { ListAnswer, Source, SourceList } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import type { WatchShape } from './encode.ts';
import type { Positions } from './event-log.ts';
import { listForm } from './initial.ts';
import { brokenOff, forgotten, lostIn, notInView } from './lost.ts';
import type { WatchOptions } from './watch-options.ts';

export interface BeginningAsk {
  clusters: readonly ClusterName[];
  sourceOf(cluster: ClusterName): Source;
  options: WatchOptions;
  form: WatchShape['form'];
  /** Requests initial events. */
  query: ListQuery;
  /** Whether a member may be unreachable. */
  partial: boolean;
  signal: AbortSignal;
}

export interface Beginning {
  clusters: readonly ClusterName[];
  /** The watcher's positions in some of the clusters. */
  from: Positions;
  /** The answers of other clusters that were opened already. */
  opened: ReadonlyMap<ClusterName, SourceList>;
  refused: readonly ClusterName[];
  missing: readonly Missing[];
  warnings: readonly string[];
}

const nothing = { opened: new Map(), refused: [], missing: [], warnings: [] };

/** `positions`: those in the client's version; undefined if they are unknown. */
export async function beginningOf(ask: BeginningAsk, positions: Positions | undefined): Promise<Beginning> {
  const { clusters, options } = ask;
  if (options.sendInitialEvents) return withObjects(ask);
  if (!positions) throw forgotten();
  const { version } = options;
  // Deletions since then would never be reported: the cluster would start with ADDED.
  if (version.is === 'map' && version.partlySent !== undefined) throw brokenOff(version.partlySent);
  const inView = new Set(clusters);
  const gone = positions.keys().find((cluster) => !inView.has(cluster));
  if (gone !== undefined) throw notInView(gone);
  if (version.is === 'map' || version.is === 'plain') {
    await Promise.all(positions.entries().map(([cluster, version]) => refuseLost(ask, cluster, version)));
    return { ...nothing, clusters, from: positions };
  }
  return options.sendInitialEvents === undefined ? withObjects(ask) : fromNow(ask);
}

async function refuseLost({ sourceOf, signal }: BeginningAsk, cluster: ClusterName, version: string): Promise<void> {
  let source: Source;
  try {
    source = sourceOf(cluster);
  } catch {
    // The member was removed, or its connection is being replaced: its feed will notice.
    return;
  }
  if (await source.hasLost(version, signal)) throw lostIn(cluster, 'it has gone back to an earlier version');
}

/** All members are read before the first event, as for a list: the answer may still be an error. */
async function withObjects(ask: BeginningAsk, limit?: number): Promise<Beginning> {
  const { clusters, sourceOf, query, form, signal } = ask;
  const answers = await Promise.all(
    clusters.map(async (cluster): Promise<Answered<ListAnswer>> => {
      const asked = { query: query.begin(cluster, limit), form: listForm(form), signal };
      return { cluster, answer: await sourceOf(cluster).list(asked) };
    }),
  );
  // Without members, the watch waits for the first one (LIST-2).
  if (clusters.length === 0) return { ...nothing, clusters, from: new Map() };
  const { lists, missing, warnings } = settle(answers, ask.partial);
  return {
    clusters,
    from: new Map(),
    opened: new Map(lists.map(({ cluster, answer }) => [cluster, answer])),
    refused: answers.flatMap(({ cluster, answer: { is } }) => (is === 'refused' || is === 'invalid' ? [cluster] : [])),
    missing,
    warnings,
  };
}

async function fromNow(ask: BeginningAsk): Promise<Beginning> {
  const begun = await withObjects(ask, 1);
  const versions = [...begun.opened].map(async ([cluster, list]) => [cluster, await versionOf(list)] as const);
  return { ...begun, opened: new Map(), from: new Map(await Promise.all(versions)) };
}

/** Lists of custom resources end with it. */
async function versionOf(list: SourceList): Promise<string> {
  for await (const _ of list.items);
  return list.end().metadata?.resourceVersion ?? '';
}
