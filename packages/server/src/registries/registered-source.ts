/** A source that shows only the registered namespaces of a member's resource, for the aggregation endpoint (CACHE-7). */

import { eachElement, isArray, isObject } from '@fleet/kube/json-bytes.ts';
import type { Items } from '@fleet/kube/list-splitter.ts';
import type { Form } from '@fleet/kube/negotiate.ts';
import { findObjectNames } from '@fleet/kube/object-names.ts';
import { eachKnownMember } from '@fleet/kube/plain-keys.ts';
import type { User } from '../authn/user.ts';
import type { Incoming } from '../http/message.ts';
import { withMetadata } from '../merge/selection.ts';
import type {
  ListAnswer,
  ListAsk,
  Source,
  SourceBatch,
  SourceEvent,
  SourceList,
  WatchAnswer,
} from '../merge/source.ts';
import type { Registrations } from '../target/registered.ts';
import type { ClusterName, PlacelessTarget } from '../target/target.ts';

type Namespaces = ReadonlySet<string>;

type SourceOf = (cluster: ClusterName, granted: { user: User; target: PlacelessTarget }, incoming: Incoming) => Source;

/** Namespaces are looked up once per source. When they change, open streams end, and the next ones use the new namespaces. */
export const registeredSources =
  (sourceOf: SourceOf, registrations: Registrations): SourceOf =>
  (cluster, granted, incoming) => {
    const source = sourceOf(cluster, granted, incoming);
    const { ask, registered } = granted.target;
    if (!registered || ask.is !== 'resource' || ask.namespace !== undefined) return source;
    const namespaces = registrations.namespacesOf(cluster, ask);
    return namespaces ? withinNamespaces(source, namespaces) : source;
  };

/**
 * The member is asked for all namespaces, as the client asked, so that it refuses users who are allowed to list only some (IMP-7). Rows
 * of Tables are requested with metadata even if the client wants none: nothing else has their namespace.
 */
export function withinNamespaces(source: Source, namespaces: Namespaces): Source {
  return {
    cluster: source.cluster,
    isCached: source.isCached ?? false,
    list: async (asked) => {
      const ask = { ...asked, query: { ...asked.query, selection: withMetadata(asked.query.selection) } };
      const answer = await source.list(ask);
      return answer.is === 'list' ? filledUp(source, ask, answer, namespaces) : answer;
    },
    watch: async (ask) => {
      const answer = await source.watch({ ...ask, selection: withMetadata(ask.selection) });
      return answer.is === 'open' ? { ...answer, batches: selected(answer.batches, namespaces, ask.form) } : answer;
    },
    canWatch: (ask) => source.canWatch(ask),
    hasLost: (version, signal) => source.hasLost(version, signal),
  };
}

/** With a limit, reads further pages until enough items are of these namespaces, as a server with selectors does. */
function filledUp(source: Source, ask: ListAsk, first: SourceList, namespaces: Namespaces): SourceList {
  let last = first;
  const { limit } = ask.query;
  const items = async function* (): AsyncGenerator<Items> {
    let left = limit ?? Number.POSITIVE_INFINITY;
    for (;;) {
      for await (const some of last.items) {
        const kept = some.filter((item) => isWithin(item, itemObject(item, ask.form), namespaces));
        left -= kept.length;
        if (kept.length === some.length) yield some;
        else if (kept.length > 0) yield kept;
      }
      const token = last.end().metadata?.continue;
      if (limit === undefined || !token || left <= 0) return;
      last = listOf(await source.list({ ...ask, query: { ...ask.query, limit: left, at: { is: 'after', token } } }));
    }
  };
  return {
    ...first,
    // How many items remain is unknown, and whether any do is only known at the end.
    head: { ...first.head, ...(first.head.metadata ? { metadata: versionOnly(first.head.metadata) } : {}) },
    items: items(),
    end: () => {
      const { metadata, ...end } = last.end();
      const { remainingItemCount: _, ...known } = metadata ?? {};
      return { ...end, ...(metadata ? { metadata: known } : {}) };
    },
  };
}

const versionOnly = ({ resourceVersion }: { resourceVersion?: string }) =>
  resourceVersion === undefined ? {} : { resourceVersion };

/** Part of the list was already sent, so any other answer aborts the response. */
function listOf(answer: ListAnswer): SourceList {
  if (answer.is === 'list') return answer;
  if ('error' in answer) throw answer.error;
  throw new Error(`a later page of the list cannot be read: ${answer.is}`);
}

async function* selected(
  batches: Extract<WatchAnswer, { is: 'open' }>['batches'],
  namespaces: Namespaces,
  form: Form,
): AsyncGenerator<SourceBatch> {
  for await (const batch of batches) {
    const events = batch.events.filter((event) => isWithin(event.line, eventObject(event, form), namespaces));
    // An unchanged batch keeps its identity: shared batches are encoded once for all watches.
    yield events.length === batch.events.length ? batch : { ...batch, events };
  }
}

/** An object without a namespace is not shown. */
function isWithin(bytes: Buffer, object: number | undefined, namespaces: Namespaces): boolean {
  if (object === undefined) return false;
  const { namespace } = findObjectNames(bytes, object, { isEvent: false, maps: false, others: true });
  return namespace !== undefined && namespaces.has(bytes.toString('utf8', namespace.start, namespace.end));
}

/** The offset of the object in a list item, which in a Table is a row. */
const itemObject = (item: Buffer, form: Form): number | undefined =>
  form === 'Table' ? memberOf(item, 0, 'object') : 0;

/** The offset of the object in an event; a Table event has one row. */
function eventObject({ line, read: { object } }: SourceEvent, form: Form): number | undefined {
  if (form !== 'Table') return object.start;
  const rows = memberOf(line, object.start, 'rows');
  let row: number | undefined;
  if (rows !== undefined && isArray(line, rows)) {
    eachElement(line, rows, (at) => {
      row ??= at;
    });
  }
  return row === undefined ? undefined : memberOf(line, row, 'object');
}

function memberOf(bytes: Buffer, at: number, key: 'object' | 'rows'): number | undefined {
  let found: number | undefined;
  eachKnownMember(bytes, at, [key], (name, value) => {
    if (name === key) found = value;
    return undefined;
  });
  return found !== undefined && (key === 'rows' || isObject(bytes, found)) ? found : undefined;
}
