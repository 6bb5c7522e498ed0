/** How far one resource of one member is in the cache, as whoever fills it reports (CACHE-2). */

export interface FeedReport {
  is:
    | 'synced'
    /** Its first list, or one after a gap, is under way. */
    | 'filling'
    | 'unreachable'
    /** The member's answers cannot be read. */
    | 'unreadable'
    /** It does not fit into `--cache-memory` (CACHE-18). */
    | 'full'
    | 'not-served'
    /** The member does not let the product list and watch it (IMP-6). */
    | 'not-granted';
  objects: number;
  bytes: number;
  /** When the member last sent something, in milliseconds since 1970. */
  lastEvent?: number | undefined;
  /** Why it is not synced, in words for people. */
  error?: string | undefined;
}
