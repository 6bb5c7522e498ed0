/** A watch over many places: one stream, resumed by the map of its last bookmark (WATCH-*). */

import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { notAcceptable, StatusError } from '@fleet/kube/status.ts';
import { warningHeader } from '@fleet/kube/warning.ts';
import type { User } from '../authn/user.ts';
import type { ObjectKind } from '../discovery/resource-kind.ts';
import type { Incoming, PlainReply, Reply } from '../http/message.ts';
import { asWebSocket } from '../http/websocket.ts';
import { readListQuery } from '../merge/list-query.ts';
import { formOf, isPartial, type MergeAsk, type MergeParts, withoutRefusals } from '../merge/merge.ts';
import type { Source } from '../merge/source.ts';
import { combineVersions } from '../present/versions.ts';
import type { ClusterName } from '../target/target.ts';
import { beginningOf } from './beginning.ts';
import { errorLine } from './lost.ts';
import type { SharedWatches } from './shared-watches.ts';
import { readWatchOptions, type WatchOptions, withoutKeys } from './watch-options.ts';
import { Watcher } from './watcher.ts';

export interface WatchParts extends Pick<MergeParts, 'partialLists' | 'onMissing'> {
  watches: SharedWatches;
  /** What a resource's objects are, as discovery says. */
  kindOf(resource: ResourceRequest): Promise<ObjectKind>;
  serves(cluster: ClusterName, resource: ResourceRequest): Promise<boolean>;
}

export interface MergeWatchAsk extends MergeAsk {
  sourceOf: (cluster: ClusterName) => Source;
  /** Only those who are the same to members share. */
  user: User;
  /** The clusters of the request's view as they are later. */
  clustersNow: () => Promise<readonly ClusterName[]>;
}

export async function mergeWatch(parts: WatchParts, ask: MergeWatchAsk, resource: ResourceRequest): Promise<Reply> {
  const reply = await withoutRefusals(ask.target.view, open(parts, ask, resource));
  return ask.incoming.upgrade ? asWebSocket(reply, ask.incoming) : reply;
}

async function open(parts: WatchParts, ask: MergeWatchAsk, resource: ResourceRequest): Promise<PlainReply> {
  const { user, target, clusters, sourceOf, incoming } = ask;
  const { wire, view, place, wishes } = target;
  const options = readWatchOptions(wire.query);
  const form = formOf(incoming);
  if (form === 'PartialObjectMetadataList') throw notAcceptable(['application/json']);
  const partial = isPartial(parts, wishes, form);
  const key = JSON.stringify([user, place, wire.path, options.selection, form, view]);
  const bare = form === 'Table' && options.includeObject === 'None';
  const query = readListQuery(initialQueryOf(options, bare));
  const kind = await parts.kindOf(resource);
  const begin = { clusters, sourceOf, options, form, query, partial, signal: incoming.signal };
  const begun = await beginningOf(begin, parts.watches.positionsAt(key, options.version)).catch(toldInStream);
  const warnings = view.annotated ? [sameNames] : [];
  if (begun instanceof StatusError) return streamOf(once(errorLine(begun)), warnings);
  for (const member of begun.missing) parts.onMissing(member);
  const shared = parts.watches.join(
    {
      key,
      clusters,
      options: {
        shape: { view, isEvent: resource.resource === 'events', form, bare },
        kind,
        selection: options.selection,
        sourceOf,
        clusters: ask.clustersNow,
        serves: (cluster) => parts.serves(cluster, resource),
      },
    },
    begun.from,
  );
  const owedEnd = options.sendInitialEvents === true;
  const watcher = new Watcher(shared, { bookmarks: options.bookmarks, owedEnd, query });
  watcher.begin(begun);
  endWith(watcher, options, incoming);
  return { ...streamOf(watcher.body, [...warnings, ...begun.warnings]), over: watcher.signal };
}

const sameNames =
  'objects of several clusters may have the same name here: informers should use the vanilla API, where names differ';

/**
 * The query of a list that comes first. Entries of clusters say how new it must be at least. Rows bring their metadata:
 * nothing else tells their version.
 */
function initialQueryOf({ selection: asked, sendInitialEvents, version }: WatchOptions, bare: boolean): string {
  const selection = bare ? withoutKeys(asked, isIncludeObject) : asked;
  if (!sendInitialEvents || version.is !== 'map' || version.of.size === 0) return selection;
  return `${selection}&resourceVersion=${combineVersions(version.of)}&resourceVersionMatch=NotOlderThan`;
}

const isIncludeObject = new Set(['includeObject']);

/** Where clients of watches look for it. */
function toldInStream(error: unknown): StatusError {
  if (!(error instanceof StatusError)) throw error;
  const isTooNew = error.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge');
  if (error.code === 410 || (error.code === 504 && isTooNew)) return error;
  throw error;
}

function endWith(watcher: Watcher, { timeout }: WatchOptions, { signal }: Incoming): void {
  // Also of one that has ended: it may still have something to send.
  const gone = () => watcher.body.drop();
  signal.addEventListener('abort', gone, { once: true });
  if (watcher.signal.aborted) return;
  const timer = setTimeout(() => watcher.finish(), timeout);
  watcher.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  // Meanwhile: its beginning took its time.
  if (signal.aborted) gone();
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

const streamOf = (body: AsyncIterable<Buffer>, warnings: readonly string[]): PlainReply => ({
  is: 'plain',
  status: 200,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-cache, private',
    ...(warnings.length > 0 ? { warning: warnings.map(warningHeader) } : {}),
  },
  body,
  endsItself: true,
});
