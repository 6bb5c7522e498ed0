/** Sends bookmarks to the watchers of a shared watch, encoded once for all at the same positions (WATCH-2). */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import type { ObjectKind } from '../discovery/resource-kind.ts';
import type { ClusterName } from '../target/target.ts';
import { Bookmarks } from './bookmark.ts';
import { BookmarkTimer } from './bookmark-timer.ts';
import type { WatchShape } from './encode.ts';
import type { Encodings } from './encodings.ts';
import type { Watcher } from './watcher.ts';

export interface WatcherBookmarksOptions {
  form: WatchShape['form'];
  kind: ObjectKind;
  encodings: Encodings;
  watchers: ReadonlySet<Watcher>;
  /** The position of a cluster's feed. */
  positionOf(cluster: ClusterName): string | undefined;
}

export class WatcherBookmarks {
  private readonly options: WatcherBookmarksOptions;
  private readonly made: Bookmarks;
  private readonly timer: BookmarkTimer;
  private revision = 0;

  constructor(options: WatcherBookmarksOptions) {
    this.options = options;
    this.made = new Bookmarks(options.form, options.kind, options.encodings);
    this.timer = new BookmarkTimer(() => {
      for (const watcher of options.watchers) watcher.bookmark();
    });
  }

  /** The position of a feed has moved, or a feed was added or removed. */
  moved(): void {
    this.revision++;
  }

  /** Something was sent that needs a bookmark. */
  happened(): void {
    this.timer.happened();
  }

  stop(): void {
    this.timer.stop();
  }

  of({ states, without }: Watcher): Buffer {
    const positions = () => states.positions(this.options.positionOf);
    if (states.apart > 0) return this.made.of(positions());
    return this.made.shared(this.revision, without, positions);
  }

  endOfInitial({ states }: Watcher, columns: readonly ColumnDefinition[] | undefined): Buffer {
    return this.made.endOfInitial(states.positions(this.options.positionOf), columns);
  }
}
