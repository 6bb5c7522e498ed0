/** Serves a watch over many places: one stream, resumed by the map of its last bookmark (WATCH-*). */

import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { noSuchResource, notAcceptable, StatusError } from '@fleet/kube/status.ts';
import { warningHeader } from '@fleet/kube/warning.ts';
import type { User } from '../authn/user.ts';
import type { Incoming, PlainReply, Reply } from '../http/message.ts';
import { asWebSocket } from '../http/websocket.ts';
import { initialListQuery, type ListQuery } from '../merge/list-query.ts';
import { formOf, isPartial, type MergeAsk, type MergeParts, withoutRefusals } from '../merge/merge.ts';
import { withMetadata } from '../merge/selection.ts';
import type { Source } from '../merge/source.ts';
import { askedObjects } from '../present/asked-objects.ts';
import type { ClusterName } from '../target/target.ts';
import { type Beginning, beginningOf } from './beginning.ts';
import { errorLine, notInView } from './lost.ts';
import type { Asker } from './member-permissions.ts';
import { sharedAs } from './shared-as.ts';
import type { SharedWatch } from './shared-watch.ts';
import type { SharedAsk, SharedWatches } from './shared-watches.ts';
import { readWatchOptions, type WatchOptions } from './watch-options.ts';
import { Watcher } from './watcher.ts';

export interface WatchParts extends Pick<MergeParts, 'partialLists' | 'onMissing' | 'kindOf' | 'kinds'> {
  watches: SharedWatches;
  serves(cluster: ClusterName, resource: ResourceRequest): Promise<boolean>;
  /** Identifies the API server that a cluster's name leads to now; undefined if that is not known. */
  serverOf(cluster: ClusterName): string | undefined;
}

export interface MergeWatchAsk extends MergeAsk {
  sourceOf: (cluster: ClusterName) => Source;
  /** Equal for users whom members cannot distinguish: only those share a watch. */
  user: User;
  /** The requested clusters, as text: equal for watches that may be shared. */
  scope: string;
  /** The current clusters of the request's view. */
  clustersNow: () => Promise<readonly ClusterName[]>;
}

export async function mergeWatch(parts: WatchParts, ask: MergeWatchAsk, resource: ResourceRequest): Promise<Reply> {
  const reply = await withoutRefusals(ask.target.view, open(parts, ask, resource));
  return ask.incoming.upgrade ? asWebSocket(reply, ask.incoming) : reply;
}

async function open(parts: WatchParts, ask: MergeWatchAsk, resource: ResourceRequest): Promise<PlainReply> {
  const { user, target, clusters, sourceOf, incoming } = ask;
  const { wire, view, requestOptions } = target;
  const options = readWatchOptions(wire.query);
  const form = formOf(incoming);
  if (form === 'PartialObjectMetadataList') throw notAcceptable(['application/json']);
  const partial = isPartial(parts, requestOptions, form);
  const { selection } = options;
  const isConsistent = requestOptions.consistent ?? false;
  const bare = form === 'Table' && selection.includeObject === 'None';
  const shapeKey = JSON.stringify([wire.path, form, bare, view]);
  const key = JSON.stringify([sharedAs(user), ask.scope, selection.text, shapeKey, isConsistent]);
  const query = initialQueryOf(options, bare);
  const kind = await parts.kindOf(resource);
  if (clusters.length === 0 && kind.kind === '') throw noSuchResource();
  const begin = { clusters, sourceOf, options, form, query, partial, signal: incoming.signal };
  const shared: SharedAsk = {
    key,
    user: user.name,
    clusters,
    options: {
      shape: {
        view,
        isEvent: resource.resource === 'events',
        asked: askedObjects(target.ask, parts.kinds),
        form,
        bare,
      },
      shapeKey,
      kind,
      selection,
      sourceOf,
      isCached: (cluster) => sourceOf(cluster).isCached ?? false,
      clusters: ask.clustersNow,
      serves: (cluster) => parts.serves(cluster, resource),
      serverOf: parts.serverOf,
    },
  };
  const asker: Asker = {
    identity: JSON.stringify(user),
    canWatch: (cluster, from, signal) => sourceOf(cluster).canWatch({ from, selection, form, signal }),
  };
  parts.watches.admit(shared);
  using noted = parts.watches.noteLost();
  const entered = await beginningOf(begin, parts.watches.positionsAt(key, options.version))
    .then((begun) => enter(parts.watches, shared, begun, asker))
    .catch(errorInStream);
  const warnings = view.annotated ? [sameNames] : [];
  if (entered instanceof StatusError) return streamOf(once(errorLine(entered)), warnings);
  const lost = clusters.find((cluster) => noted.lost.has(cluster));
  if (lost !== undefined) return streamOf(once(errorLine(notInView(lost))), warnings);
  const { begun, joined, allowed } = entered;
  for (const member of begun.missing) parts.onMissing(member);
  const endPending = options.sendInitialEvents === true;
  const hasMap = options.version.is === 'map';
  const watcher = new Watcher(joined, { bookmarks: options.bookmarks, endPending, hasMap, query, sourceOf, asker });
  watcher.begin(begun, allowed);
  endWith(watcher, options, incoming);
  return { ...streamOf(watcher.body, [...warnings, ...begun.warnings]), over: watcher.signal };
}

interface Entered {
  begun: Beginning;
  joined: SharedWatch;
  /** Members with open streams that allow this user to watch. */
  allowed: ReadonlySet<ClusterName>;
}

async function enter(watches: SharedWatches, ask: SharedAsk, begun: Beginning, asker: Asker): Promise<Entered> {
  for (;;) {
    const joined = watches.join(ask, begun.from);
    const allowed = await joined.check(begun.from.keys(), asker);
    // In the meantime the log may have dropped events that this watcher needs.
    if (joined.reaches(begun.from, begun.clusters)) return { begun, joined, allowed };
  }
}

const sameNames =
  'objects of several clusters may have the same name here: informers should use the vanilla API, where names differ';

/** The query of the initial list. Rows have their metadata: nothing else has their version. */
const initialQueryOf = ({ selection, version }: WatchOptions, bare: boolean): ListQuery =>
  initialListQuery(version, bare ? withMetadata(selection) : selection);

/** The error in the form that clients of watches expect. */
function errorInStream(error: unknown): StatusError {
  if (!(error instanceof StatusError)) throw error;
  const isTooNew = error.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge');
  if (error.code === 410 || (error.code === 504 && isTooNew)) return error;
  throw error;
}

function endWith(watcher: Watcher, { timeout }: WatchOptions, { signal }: Incoming): void {
  // Also for a watcher that has ended: it may still have events to send.
  const gone = () => watcher.body.drop();
  signal.addEventListener('abort', gone, { once: true });
  if (watcher.signal.aborted) return;
  const timer = setTimeout(() => watcher.finish(), timeout);
  watcher.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  // The client may have disconnected while the watch was opened.
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
