/** The interface of object stores: one global revision as in etcd, compare-and-set writes, reads and watches by revision. */

/** A key with its current value. */
export interface Entry {
  key: string;
  value: Uint8Array;
  /** The revision of the write that set this value. */
  revision: number;
  /** Encoded in a way that the next write should renew, such as with a replaced encryption key. */
  stale?: true;
}

/** A precondition: another key that must still be at this revision, or a prefix without later writes. */
export type Requirement = Pick<Entry, 'key' | 'revision'> | { prefix: string; revision: number };

/** A write succeeds only if the key is in the expected state: absent for a create, else at that revision. */
export type Write =
  | { op: 'create'; key: string; value: Uint8Array; requires?: readonly Requirement[] }
  | { op: 'update'; key: string; value: Uint8Array; ifRevision: number; requires?: readonly Requirement[] }
  | { op: 'delete'; key: string; ifRevision: number };

/** `current` is the conflicting entry; undefined if the key does not exist. `unmet`: a precondition does not hold any more. */
export type Outcome = { done: true; revision: number } | { done: false; current: Entry | undefined; unmet?: true };

export interface RangeQuery {
  prefix: string;
  /** Start after this key. */
  after?: string | undefined;
  limit?: number | undefined;
  /** The snapshot to read; the latest by default. */
  revision?: number | undefined;
  /** Count the entries after the limit. */
  count?: boolean | undefined;
}

export interface Range {
  /** Of the snapshot that was read. */
  revision: number;
  /** Sorted by the bytes of their keys. */
  entries: Entry[];
  more: boolean;
  /** How many are after the limit, if the query requested it. */
  remaining?: number;
}

export interface StoreEvent {
  key: string;
  revision: number;
  /** Absent for a deletion. */
  value?: Uint8Array;
  /** Absent for a creation. */
  previous?: Uint8Array;
}

/** The bytes that an event holds in memory. */
export const valueBytes = ({ value, previous }: StoreEvent): number => (value?.length ?? 0) + (previous?.length ?? 0);

export interface EventBatch {
  /** In the order of revisions. */
  events: StoreEvent[];
  /** All events up to here were delivered. */
  revision: number;
}

export interface StoreWatch extends AsyncIterable<EventBatch>, AsyncDisposable {
  /** Requests a batch, possibly without events, whose revision is not older than now. */
  requestProgress(): void;
}

/** The revision before the first write. */
export const firstRevision = 1;

export interface ObjectStore extends AsyncDisposable {
  /** The revision of the last write. */
  revision(): Promise<number>;
  /** Settles when the write is on disk. */
  write(write: Write): Promise<Outcome>;
  get(key: string): Promise<{ entry: Entry | undefined; revision: number }>;
  range(query: RangeQuery): Promise<Range>;
  /** All events under a prefix after a revision, which may be in the past unless it was compacted. */
  watch(prefix: string, after: number): StoreWatch;
  /** Compacts: older revisions cannot be read or watched any more. */
  compact(revision: number): Promise<void>;
}
