/** What one client's watch is to be. */

import type { ListQuery } from '../merge/list-query.ts';
import type { Source } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import type { Asker } from './member-permissions.ts';

export interface WatcherOptions {
  bookmarks: boolean;
  /** The initial-events-end bookmark is still pending (WATCH-3). */
  owedEnd: boolean;
  /** Its client has come with a map. */
  hasMap: boolean;
  /** The query of the initial list. */
  query: ListQuery;
  /** The way to a member's resource, as the one who watches. */
  sourceOf(cluster: ClusterName): Source;
  asker: Asker;
}
