/** A source is one resource in one place. The merger knows sources only, never how they come by their bytes. */

import type { ColumnDefinition, Items, ListEnvelope } from '@fleet/kube/list-splitter.ts';
import type { Form } from '@fleet/kube/negotiate.ts';
import type { StatusError } from '@fleet/kube/status.ts';
import type { ClusterName } from '../target/target.ts';
import type { EventLine } from './event-line.ts';
import type { MemberQuery } from './list-query.ts';
import type { Selection } from './selection.ts';

export interface ListAsk {
  query: MemberQuery;
  form: Form;
  signal: AbortSignal;
}

/** What a member's answer does to a merged list (LIST-2 to LIST-4, LIST-10). */
export type ListAnswer =
  | SourceList
  /** It does not serve the resource. */
  | { is: 'absent' }
  /** The user may not list there. */
  | { is: 'refused'; error: StatusError }
  /** It finds fault with the request itself. */
  | { is: 'invalid'; error: StatusError }
  | { is: 'expired'; error: StatusError }
  /** It is asked for a version that it has not come to yet. */
  | { is: 'too-new'; error: StatusError }
  /** It cannot be reached, or cannot answer. */
  | { is: 'missing'; reason: string };

export interface SourceList {
  is: 'list';
  /** Has the version already, except for custom resources, whose lists end with it. */
  head: ListEnvelope;
  /** All pages' items, or as many as were asked for. Throws if the member's answer breaks off. */
  items: AsyncIterable<Items>;
  /** Known at the latest when the items are through. */
  end(): ListEnvelope;
  /** What the client must know of it, in words. */
  warning?: string | undefined;
}

/** What a member says instead of a list. */
export type NoList = Exclude<ListAnswer, SourceList>;

export interface WatchAsk {
  /** The member's own version, after which events are wanted. */
  from: string;
  selection: Selection;
  form: Form;
  signal: AbortSignal;
}

export interface SourceEvent {
  line: Buffer;
  read: EventLine;
  /**
   * Where the watch stands behind it: its version, unless it is one of a difference, whose objects may be old. Those of a
   * difference lead behind all of it: whoever stands in front of it lacks each of them.
   */
  position: string;
}

/** Events that came together; none where only the position has moved. */
export interface SourceBatch {
  events: readonly SourceEvent[];
  /** Where the watch stands behind all of them: in front of a difference that is not whole yet. */
  position: string;
  /** Whether the version of an event tells where the watch stands. */
  resumable: boolean;
  /** What happened between these two positions is not known: the member was listed anew, and the lists were compared. */
  unknown?: { from: string; to: string };
  /** An error came with them: the watch ends behind them, and is no sign that the place is well. */
  isFailing?: boolean;
  /** Others are given the very same batch: what is made of it can be made once. */
  isShared?: boolean;
  /** Of a Table's rows, where all of them have the same: the same object as long as they do not change. */
  columns?: readonly ColumnDefinition[];
  /** The member was removed, and all its objects have been reported as deleted: nothing follows (WATCH-5). */
  isGoodbye?: boolean;
}

/** Throws where they break off or stop coming; 410 where the events that follow are gone. */
export type WatchAnswer = OpenWatch | NoList;

export interface OpenWatch {
  is: 'open';
  batches: AsyncIterable<SourceBatch>;
  /** It takes no stream of the member, and ends with a goodbye where the member is removed. */
  isCached?: boolean;
}

/** Whether a user may watch there, as the member decides now. */
export type Permission = { is: 'allowed' } | NoList;

export interface ListSource {
  cluster: ClusterName;
  list(ask: ListAsk): Promise<ListAnswer>;
  /** The version that a list of its latest state would have; undefined where it has to be listed to know. */
  position?(signal: AbortSignal): Promise<string | undefined>;
}

export interface Source extends ListSource {
  /** Its watches are likely to take no stream of the member. */
  isCached?: boolean;
  watch(ask: WatchAsk): Promise<WatchAnswer>;
  /** Asked for a watch that shares a stream which is open already: `from` is where that one stands. */
  mayWatch(ask: WatchAsk): Promise<Permission>;
  /** Whether the version is from before the member went back (CACHE-5): a stream that is shared takes it for one that is to come. */
  hasLost(version: string, signal: AbortSignal): Promise<boolean>;
}
