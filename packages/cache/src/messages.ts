/**
 * The requests to a shard and its answers. Every value can be cloned by `structuredClone`, so that a shard can run on a worker thread;
 * no memory is shared. Reads are stateless: a list is a series of `read` calls at one `seq`, a watch a series of `events` calls.
 *
 * A feed is one resource of one cluster. `seq` numbers its states: each event of the member's watch makes a new one, and all events of
 * a relist make one together (a difference). The position is the member's own resource version of the newest state.
 */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import type { ChangeType } from './feed-writer.ts';

/** Chosen by the caller of `want`; opaque to the shard. */
export type FeedId = string;

export interface FeedSpec {
  id: FeedId;
  cluster: string;
  group: string;
  version: string;
  resource: string;
  kind: string;
  namespaced: boolean;
  /** The paths of a custom resource's `selectableFields`, without the dot in front. */
  selectableFields?: readonly string[];
  /**
   * Whether list items have `kind` and `apiVersion`, as those of custom resources have. Left out: derived from each object's keys, which
   * kube-apiserver sorts in custom objects only.
   */
  typeMetaInLists?: boolean;
  /** Its objects are kept, and shown, without their managedFields (CACHE-6). */
  prunesManagedFields?: boolean;
}

export interface Selection {
  /** Selectors as in the query of a request; empty or left out selects everything. */
  labelSelector?: string;
  fieldSelector?: string;
}

/** How an item is shown. */
export type ItemForm =
  /** `inList`: built-in kinds without `kind` and `apiVersion`, as kube-apiserver writes the items of a list. */
  | { as: 'object'; inList: boolean }
  | { as: 'Table'; includeObject: 'None' | 'Metadata' | 'Object' }
  | { as: 'PartialObjectMetadata' };

export interface ReadAsk {
  feed: FeedId;
  /** A `seq`, while the history has it, or the newest state. */
  at: number | 'now';
  /** The items begin after this key (`namespace/name`, or `name`). */
  after?: string;
  /** Only items of this namespace. */
  within?: string;
  selection?: Selection;
  form: ItemForm;
  /** The approximate size of the answer. It has at least one item, if there is one. */
  bytes: number;
  limit?: number;
}

export interface Page {
  is: 'page';
  seq: number;
  /** The resource version of that state. */
  position: string;
  /** The items, concatenated without commas. */
  chunk: Uint8Array;
  /** The end of each item in the chunk. */
  ends: Uint32Array;
  /** The offsets of names in each object, read by `namesOf`. */
  names?: Uint32Array;
  /** The `after` of the next read; left out at the end. With selectors, the rest may have no match. */
  next?: string;
  /** How many items follow, for `remainingItemCount`; left out with selectors. */
  left?: number;
  /** Of a Table's rows. */
  columns?: readonly ColumnDefinition[];
}

export interface GetAsk {
  feed: FeedId;
  /** `namespace/name`, or `name`. */
  key: string;
  form: ItemForm;
  /** Whether a line feed follows the item, with which Go's encoder ends a whole answer. */
  endsLine?: boolean;
}

export interface Item {
  is: 'item';
  seq: number;
  position: string;
  bytes: Uint8Array;
  version: string;
  uid: string;
  columns?: readonly ColumnDefinition[];
}

export interface Absent {
  is: 'absent';
  seq: number;
  position: string;
}

/** The feed cannot answer: it is not known, not filled yet, or full. */
export interface Gone {
  is: 'gone';
}

/** The requested state has left the history, or was never in it. */
export interface Floor {
  is: 'floor';
}

/** The feed has the state, but cannot evaluate this selector or show this form: the request goes to the member (CACHE-14). */
export interface Unanswerable {
  is: 'unknown-field' | 'invalid-selector' | 'no-table';
  /** The field, or what is wrong. */
  reason: string;
}

export type ReadAnswer = Page | Gone | Floor | Unanswerable;
export type GetAnswer = Item | Absent | Gone | Unanswerable;
export type HasAsk = Pick<GetAsk, 'feed' | 'key'>;
export type HasAnswer = { is: 'there' } | { is: 'absent' } | Gone;

export interface EventsAsk {
  feed: FeedId;
  /** Events after this state. */
  after: number;
  /** How many events of the difference after `after` were already read: the `skip` of the previous answer. */
  skip?: number;
  /** The position that the caller knows: it gets an answer as well when only the position has moved. */
  position?: string;
  within?: string;
  selection?: Selection;
  form: ItemForm;
  /** The approximate size of the answer. */
  bytes: number;
}

export interface Events {
  is: 'events';
  chunk: Uint8Array;
  ends: Uint32Array;
  types: readonly ChangeType[];
  /** The resource versions of the objects. */
  versions: readonly string[];
  /** With `skip` and `position`: the `after`, `skip` and `position` of the next call. */
  seq: number;
  skip: number;
  /** The resource version of `seq`; within a difference, of the state before it. */
  position: string;
  /** For a part of a difference: the position after all of it, which its last part has. Otherwise `position`. */
  leadsTo: string;
  /** Whether a watch can resume from the version of each event. Not within a difference: its objects have older versions. */
  resumable: boolean;
  /** The member was listed anew: what happened between these two positions is not known. */
  unknown?: { from: string; to: string };
  columns?: readonly ColumnDefinition[];
}

/** The cluster was removed: all objects have been reported as deleted, and nothing follows. */
export interface Goodbye {
  is: 'goodbye';
}

export type EventsAnswer = Events | Goodbye | Gone | Floor | Unanswerable;

export interface SeqOfAsk {
  feed: FeedId;
  /** A resource version of the member. */
  version: string;
  /** For how many milliseconds to wait for a version that is newer than the position. */
  wait?: number;
}

/** The version is from before the member was restored from a backup (CACHE-5): the member itself does not know it. */
export interface Lost {
  is: 'lost';
}

export type SeqOfAnswer = { is: 'seq'; seq: number } | { is: 'not-yet'; position: string } | Floor | Lost | Gone;

export interface Want {
  /** The desired feeds: others are removed. */
  feeds: readonly FeedSpec[];
  /** Feeds to remove because their cluster was removed: they report their objects as deleted first. */
  goodbye?: readonly FeedId[];
  /** Feeds that were dropped because their cluster was removed, or leads to another server: their versions are not that one's. */
  moved?: readonly FeedId[];
}

/** What the reflector reports of its connection. */
export type Health =
  | { is: 'healthy' }
  | { is: 'filling' }
  | { is: 'unreachable'; since: number; error: string }
  | { is: 'failing'; since: number; error: string };

/** Pushed when it changes. Times are in milliseconds since 1970. */
export interface FeedState {
  feed: FeedId;
  health: Health;
  /** Whether it answers: its first list is complete and it is not full. */
  filled: boolean;
  /** Nothing more fits (CACHE-18): how many objects it had when it was dropped. */
  full?: { objects: number };
  objects: number;
  bytes: number;
  position?: string;
  /** When the last event, bookmark or list came. */
  heard?: number;
}

export interface ShardStat {
  feeds: number;
  objects: number;
  /** What counts against the limit. */
  bytes: number;
  limit: number;
  slabs: number;
  /** The bytes of the slabs that are in use. */
  live: number;
  history: number;
  managedFields: number;
}

/** A shard, in this thread or another. */
export interface Shard extends AsyncDisposable {
  want(want: Want): Promise<void>;
  /** Rejects with the signal's reason if it aborts before its turn. */
  read(ask: ReadAsk, signal?: AbortSignal): Promise<ReadAnswer>;
  /** As `read`. */
  get(ask: GetAsk, signal?: AbortSignal): Promise<GetAnswer>;
  /** Whether the newest state has an object. As `read`. */
  has(ask: HasAsk, signal?: AbortSignal): Promise<HasAnswer>;
  /** Waits for events, or for the position to move. Rejects with the signal's reason. */
  events(ask: EventsAsk, signal?: AbortSignal): Promise<EventsAnswer>;
  seqOf(ask: SeqOfAsk, signal?: AbortSignal): Promise<SeqOfAnswer>;
  stat(): Promise<ShardStat>;
  /** Calls the listener with the states of all feeds, then with those that change. Returns a function that unsubscribes. */
  states(listener: (states: readonly FeedState[]) => void): () => void;
}
