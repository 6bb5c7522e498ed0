/**
 * What a shard is asked and answers. Every value can be cloned by `structuredClone`, so that a worker thread may answer it;
 * nothing is shared. Reads are stateless: a list is a series of reads at one `seq`, a watch a series of `events`.
 *
 * A feed is one resource of one cluster. `seq` counts its states: each event of the member's watch is one, and all events of
 * a difference after a relist are one together. The position is the member's own resource version of the newest state.
 */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import type { ChangeType } from './feed-writer.ts';

/** Chosen by whoever wants the feed; opaque to the shard. */
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
   * Whether the items of its lists have `kind` and `apiVersion`, as those of custom resources have. Left out: told by the order
   * of keys, which real clusters sort in custom objects alone.
   */
  typeMetaInLists?: boolean;
  /** Its objects are kept, and shown, without their managedFields (CACHE-6). */
  prunesManagedFields?: boolean;
}

export interface Selection {
  /** As clients write them; empty or left out: everything. */
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
  /** A state of the past while it is kept, or the newest. */
  at: number | 'now';
  /** The key (`namespace/name`, or `name`) behind which the items begin. */
  after?: string;
  /** Only items of this namespace. */
  within?: string;
  selection?: Selection;
  form: ItemForm;
  /** About how many bytes the answer may have; it has one item at least, if there is one. */
  bytes: number;
  limit?: number;
}

export interface Page {
  is: 'page';
  seq: number;
  /** The resource version of that state. */
  position: string;
  /** The items, one behind the other without commas. */
  chunk: Uint8Array;
  /** Where in the chunk each item ends. */
  ends: Uint32Array;
  /** Of objects: where in each item names stand, as `ItemNames` reads it. */
  names?: Uint32Array;
  /** The key to read on from, as `after`; left out where nothing follows. There may be no more matches behind it. */
  next?: string;
  /** How many items follow; left out with selectors. */
  left?: number;
  /** Of a Table's rows. */
  columns?: readonly ColumnDefinition[];
}

export interface GetAsk {
  feed: FeedId;
  /** `namespace/name`, or `name`. */
  key: string;
  form: ItemForm;
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

/** The state that was asked for is no longer kept, or never was. */
export interface Floor {
  is: 'floor';
}

/** The feed has the state, but cannot answer this about it: ask the member (CACHE-14). */
export interface Unanswerable {
  is: 'unknown-field' | 'invalid-selector' | 'no-table';
  /** The field, or what is wrong. */
  reason: string;
}

export type ReadAnswer = Page | Gone | Floor | Unanswerable;
export type GetAnswer = Item | Absent | Gone | Unanswerable;

export interface EventsAsk {
  feed: FeedId;
  /** Events behind this state. */
  after: number;
  /** How many events of the difference behind `after` have been given already: the `skip` of the answer before. */
  skip?: number;
  /** The position that is known already: an answer comes, too, when only the position has moved. */
  position?: string;
  within?: string;
  selection?: Selection;
  form: ItemForm;
  /** About how many bytes the answer may have. */
  bytes: number;
}

export interface Events {
  is: 'events';
  chunk: Uint8Array;
  ends: Uint32Array;
  types: readonly ChangeType[];
  /** The resource versions of the objects. */
  versions: readonly string[];
  /** To be asked for next, as `after`, `skip` and `position`. */
  seq: number;
  skip: number;
  /** The resource version of `seq`: within a difference, that of the state before it. */
  position: string;
  /** Whether the version of each event is the position behind it. A difference has events of old versions. */
  resumable: boolean;
  columns?: readonly ColumnDefinition[];
}

/** The cluster has been removed: all objects were reported as deleted, nothing follows. */
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

/** The version is from before the member went back (CACHE-5): what it stood for has never been, as far as the member knows. */
export interface Lost {
  is: 'lost';
}

export type SeqOfAnswer = { is: 'seq'; seq: number } | { is: 'not-yet'; position: string } | Floor | Lost | Gone;

export interface Want {
  /** All feeds that are wanted from now on. */
  feeds: readonly FeedSpec[];
  /** Which of those that are no longer wanted report their objects as deleted first: their cluster was removed. */
  goodbye?: readonly FeedId[];
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
  /** Of the slabs, what is still in use. */
  live: number;
  history: number;
  managedFields: number;
}

/** A shard, in this thread or another. */
export interface Shard extends AsyncDisposable {
  want(want: Want): Promise<void>;
  read(ask: ReadAsk): Promise<ReadAnswer>;
  get(ask: GetAsk): Promise<GetAnswer>;
  /** Waits for events, or for the position to move. Rejects with the signal's reason. */
  events(ask: EventsAsk, signal?: AbortSignal): Promise<EventsAnswer>;
  seqOf(ask: SeqOfAsk, signal?: AbortSignal): Promise<SeqOfAnswer>;
  stat(): Promise<ShardStat>;
  /** Calls with the states of all feeds first, then with those that have changed. Returns what ends it. */
  states(listener: (states: readonly FeedState[]) => void): () => void;
}
