/** What every store of objects does: one global revision as in etcd, compare-and-set writes, reads and watches by revision. */

/** One key as of the write that gave it this value. */
export interface Entry {
  key: string;
  value: Uint8Array;
  /** Of the write that gave it this value. */
  revision: number;
  /** Written in a form that the next write should renew, such as with a key that was replaced. */
  stale?: true;
}

/** Another key that must still be at this revision, or a prefix below which nothing may have been written after it. */
export type Requirement = Pick<Entry, 'key' | 'revision'> | { prefix: string; revision: number };

/** A write happens only if the key is as the writer believes: absent for a create, else at that revision. */
export type Write =
  | { op: 'create'; key: string; value: Uint8Array; requires?: readonly Requirement[] }
  | { op: 'update'; key: string; value: Uint8Array; ifRevision: number; requires?: readonly Requirement[] }
  | { op: 'delete'; key: string; ifRevision: number };

/** `current` is what stood in the way; nothing, if the key is not there. `unmet`: what was required is not so any more. */
export type Outcome = { done: true; revision: number } | { done: false; current: Entry | undefined; unmet?: true };

export interface RangeQuery {
  prefix: string;
  /** Go on behind this key. */
  after?: string | undefined;
  limit?: number | undefined;
  /** As everything was then; now if left out. */
  revision?: number | undefined;
  /** Count what lies behind the limit. */
  count?: boolean | undefined;
}

export interface Range {
  /** Of the snapshot that was read. */
  revision: number;
  /** In the order of the keys' bytes. */
  entries: Entry[];
  more: boolean;
  /** How many lie behind the limit, if the query wanted to know. */
  remaining?: number;
}

export interface StoreEvent {
  key: string;
  revision: number;
  /** Absent: deleted. */
  value?: Uint8Array;
  /** Absent: created. */
  previous?: Uint8Array;
}

/** Bytes that an event keeps in memory. */
export const valueBytes = ({ value, previous }: StoreEvent): number => (value?.length ?? 0) + (previous?.length ?? 0);

export interface EventBatch {
  /** In the order of revisions. */
  events: StoreEvent[];
  /** Everything up to here has been told. */
  revision: number;
}

export interface StoreWatch extends AsyncIterable<EventBatch>, AsyncDisposable {
  /** Asks for a batch, if need be without events, whose revision is not older than now. */
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
  /** Everything under a prefix that happens after a revision, which may lie in the past until it is compacted away. */
  watch(prefix: string, after: number): StoreWatch;
  /** Forgets what was before a revision: reads of older ones and watches from them are refused. */
  compact(revision: number): Promise<void>;
}
