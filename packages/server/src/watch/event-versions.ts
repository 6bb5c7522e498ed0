/** Versions of events in the aggregation family: the map of what a stream has sent so far (RV-4). */

import { combineVersions, type VersionMap } from '../present/versions.ts';
import type { ClusterName } from '../target/target.ts';
import type { Encodings } from './encodings.ts';
import type { EventBatch, WatchEvent } from './event.ts';

/**
 * `positions`: those of the stream before these events. An event without a position keeps its own version, as the objects of a list
 * do: clients do not resume from it.
 */
export function withVersions(events: readonly WatchEvent[], positions: VersionMap): WatchEvent[] {
  const sent = new Map<ClusterName, string | null>(positions);
  return events.map((event) => {
    if (!event.withVersion) return event;
    sent.set(event.cluster, event.position);
    const { bytes, table } = event.withVersion(combineVersions(sent));
    return { ...event, bytes, ...(table ? { table } : {}) };
  });
}

export class EventVersions {
  private batch: EventBatch | undefined;
  private readonly made = new Map<string, EventBatch>();
  private readonly encodings: Encodings;

  constructor(encodings: Encodings) {
    this.encodings = encodings;
  }

  /** Encoded once for watchers at the feeds' positions that lack the same clusters. */
  shared(batch: EventBatch, without: string, positions: () => VersionMap): EventBatch {
    if (batch !== this.batch) this.made.clear();
    this.batch = batch;
    const known = this.made.get(without) ?? this.versioned(batch, positions());
    this.made.set(without, known);
    return known;
  }

  /** Other users' watches may have the same positions. */
  private versioned(batch: EventBatch, positions: VersionMap): EventBatch {
    const make = () => batchOf(batch.cluster, withVersions(batch.events, positions));
    return this.encodings.withVersions(batch, positions, make);
  }
}

const batchOf = (cluster: ClusterName, events: readonly WatchEvent[]): EventBatch => ({
  cluster,
  events,
  bytes: Buffer.concat(events.map(({ bytes }) => bytes)),
});
