/** A source is one resource in one place. Merging uses sources only, and does not know where their bytes come from. */

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

/** The effect of a member's answer on a merged list (LIST-2 to LIST-4, LIST-10). */
export type ListAnswer =
  | SourceList
  /** It does not serve the resource. */
  | { is: 'absent' }
  /** The user is not allowed to list there. */
  | { is: 'refused'; error: StatusError }
  /** It rejects the request as invalid. */
  | { is: 'invalid'; error: StatusError }
  | { is: 'expired'; error: StatusError }
  /** It has not reached the requested version yet. */
  | { is: 'too-new'; error: StatusError }
  /** It cannot be reached, or cannot answer. */
  | { is: 'missing'; reason: string };

export interface SourceList {
  is: 'list';
  /** Has the version already, except for custom resources, whose lists end with it. */
  head: ListEnvelope;
  /** The items of all pages, or as many as were requested. Throws if the member's answer breaks off. */
  items: AsyncIterable<Items>;
  /** Known at the latest after the items. */
  end(): ListEnvelope;
  /** A warning for the client. */
  warning?: string | undefined;
}

/** A member's answer that is not a list. */
export type NoList = Exclude<ListAnswer, SourceList>;

export interface WatchAsk {
  /** The member's own resource version from which the watch starts. */
  from: string;
  selection: Selection;
  form: Form;
  signal: AbortSignal;
}

export interface SourceEvent {
  line: Buffer;
  read: EventLine;
  /**
   * The resource version after it. In a difference of two lists objects may be old: all its events then have the version at its end,
   * so a client that has read only some of them reads all of them again.
   */
  position: string;
}

/** Events that arrived together; none if only the position has changed. */
export interface SourceBatch {
  events: readonly SourceEvent[];
  /** The position after all of them; the one before a difference that is not complete yet. */
  position: string;
  /** Whether each event's version is a position to resume from. */
  resumable: boolean;
  /** The events between these two positions are unknown: the member was listed again, and the two lists were compared. */
  unknown?: { from: string; to: string };
  /** The watch ends after them, with an error that came with them: the place is not healthy. */
  isFailing?: boolean;
  /** Other watches get the same batch object, so anything derived from it can be shared. */
  isShared?: boolean;
  /** The columns of a Table's rows, if all have the same: the same object until they change. */
  columns?: readonly ColumnDefinition[];
  /** The member was removed, and all its objects were reported as deleted: nothing follows (WATCH-5). */
  isGoodbye?: boolean;
}

/** The events throw if they break off or stop; 410 if the following events have expired. */
export type WatchAnswer = OpenWatch | NoList;

export interface OpenWatch {
  is: 'open';
  batches: AsyncIterable<SourceBatch>;
  /** It uses no stream of the member, and ends with `removed` if the member is removed. */
  isCached?: boolean;
}

/** Whether a user is currently allowed to watch there, as the member decides. */
export type Permission = { is: 'allowed' } | NoList;

export interface ListSource {
  cluster: ClusterName;
  list(ask: ListAsk): Promise<ListAnswer>;
  /** The version that a list of its latest state would have; undefined if only a list can show that. */
  position?(signal: AbortSignal): Promise<string | undefined>;
}

export interface Source extends ListSource {
  /** Its watches probably use no stream of the member. */
  isCached?: boolean;
  watch(ask: WatchAsk): Promise<WatchAnswer>;
  /** For a watch that joins an open stream. `from`: that stream's position. */
  canWatch(ask: WatchAsk): Promise<Permission>;
  /** Whether the version is from before the member was restored (CACHE-5). A shared stream would take it for a future one. */
  hasLost(version: string, signal: AbortSignal): Promise<boolean>;
}
