/** All shared watches: which one a new watcher can go on with, and when they are told of members. */

import type { ReadVersion } from '../present/versions.ts';
import type { ClusterName } from '../target/target.ts';
import type { Positions } from './event-log.ts';
import { SharedWatch, type SharedWatchOptions } from './shared-watch.ts';

export interface SharedAsk {
  /** Who watches what, in which form: alike for those that may share. */
  key: string;
  clusters: readonly ClusterName[];
  options: Omit<SharedWatchOptions, 'onIdle' | 'onFault'>;
}

export class SharedWatches implements Disposable {
  private readonly byKey = new Map<string, Set<SharedWatch>>();
  private readonly onFault: SharedWatchOptions['onFault'];

  constructor(onFault: SharedWatchOptions['onFault']) {
    this.onFault = onFault;
  }

  /** Where whoever saw an object's version last stands, if just one place of one log says so. */
  positionsAt(key: string, version: ReadVersion): Positions | undefined {
    if (version.is === 'map') return version.of;
    if (version.is === 'any') return new Map();
    const found = [...(this.byKey.get(key) ?? [])].flatMap((shared) => shared.resumeAt(version.version) ?? []);
    return found.length === 1 ? found[0] : undefined;
  }

  /** One that has kept what came after these positions, or a new one that asks the members for it. */
  join({ key, clusters, options }: SharedAsk, from: Positions): SharedWatch {
    const alike = this.byKey.get(key) ?? new Set();
    this.byKey.set(key, alike);
    for (const known of alike) if (known.reaches(from)) return known;
    const onIdle = () => {
      shared.stop();
      alike.delete(shared);
      if (alike.size === 0) this.byKey.delete(key);
    };
    const shared: SharedWatch = new SharedWatch({ ...options, onIdle, onFault: this.onFault }, clusters);
    alike.add(shared);
    return shared;
  }

  /** How many clients watch. */
  get watching(): number {
    return [...this.all()].reduce((sum, { watching }) => sum + watching, 0);
  }

  /** Members have come, gone, or changed. */
  refresh(): void {
    for (const shared of this.all()) shared.refresh().catch((error: unknown) => this.onFault(error));
  }

  [Symbol.dispose](): void {
    this.end();
  }

  /** Ends every watch between two events, with a bookmark (LIMIT-1). */
  end(): void {
    for (const shared of this.all()) shared.stop();
    this.byKey.clear();
  }

  private *all(): Generator<SharedWatch> {
    for (const alike of [...this.byKey.values()]) yield* [...alike];
  }
}
