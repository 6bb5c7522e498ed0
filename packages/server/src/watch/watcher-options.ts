/** The options of one client's watch. */

import type { ListQuery } from '../merge/list-query.ts';
import type { Source } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import type { Asker } from './member-permissions.ts';

export interface WatcherOptions {
  bookmarks: boolean;
  /** The initial-events-end bookmark is still pending (WATCH-3). */
  endPending: boolean;
  /** The client has resumed from a map. */
  hasMap: boolean;
  /** The query of the initial list. */
  query: ListQuery;
  /** The source of a member's resource, as this user. */
  sourceOf(cluster: ClusterName): Source;
  asker: Asker;
}
