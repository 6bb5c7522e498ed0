/** The state of one resource of one member in the cache, as the registry's status shows it (CACHE-2). */

export interface FeedReport {
  is:
    | 'synced'
    /** Its first list is under way, or another one because its watch could not resume. */
    | 'filling'
    | 'unreachable'
    /** The member's responses cannot be parsed. */
    | 'unreadable'
    /** It does not fit into `--cache-memory` (CACHE-18). */
    | 'full'
    | 'not-served'
    /** The product is not allowed to list and watch it (IMP-6). */
    | 'not-granted';
  objects: number;
  bytes: number;
  /** The time of the last event, bookmark or list, in milliseconds since 1970. */
  lastEvent?: number | undefined;
  /** The error message, if it is not synced. */
  error?: string | undefined;
}
