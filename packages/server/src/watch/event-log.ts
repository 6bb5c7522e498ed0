/** The last events of a shared watch, in the order in which watchers were sent them. A watcher can resume from them (RV-6). */

import type { ClusterName } from '../target/target.ts';
import type { WatchEvent } from './event.ts';
import { type Gap, isWithin } from './gap.ts';
import { isBehind, isCovered } from './position.ts';

export type Positions = ReadonlyMap<ClusterName, string>;

export interface LogLimits {
  events: number;
  bytes: number;
}

interface Logged {
  /** Undefined once its cluster was removed: the other events keep their numbers. */
  event: WatchEvent | undefined;
  /** Every watcher that was sent it had been sent exactly the events before it: its version identifies the position in all clusters. */
  resumable: boolean;
}

interface Beginning {
  /** The log has all events of the cluster after this position. */
  position: string;
  /** How many events the log had before the cluster was added to it. */
  since: number;
}

/** While an initial list is being read, the log keeps this many more events, with which the watch continues. */
const pinnedFactor = 8;

export class EventLog {
  private readonly limits: LogLimits;
  private readonly beginnings = new Map<ClusterName, Beginning>();
  private readonly gaps = new Map<ClusterName, readonly Gap[]>();
  private logged: Logged[] = [];
  /** The position after each cluster's last event. */
  private readonly latest = new Map<ClusterName, string>();
  /** How many events were dropped from the front. */
  private dropped = 0;
  private bytes = 0;
  private pins = 0;

  constructor(limits: LogLimits) {
    this.limits = limits;
  }

  begin(cluster: ClusterName, position: string): void {
    this.beginnings.set(cluster, { position, since: this.end });
  }

  /** Drops a removed cluster: one that joins under this name has events of its own, which must not be mixed with these. */
  forget(cluster: ClusterName): void {
    if (!this.beginnings.delete(cluster)) return;
    this.latest.delete(cluster);
    this.gaps.delete(cluster);
    for (const logged of this.logged) {
      if (logged.event?.cluster !== cluster) continue;
      this.bytes -= logged.event.bytes.length;
      logged.event = undefined;
      logged.resumable = false;
    }
  }

  /** Whether the log has all events after this position. */
  covers(cluster: ClusterName, position: string): boolean {
    const beginning = this.beginnings.get(cluster);
    if (beginning === undefined || !isCovered(beginning.position, position)) return false;
    return !(this.gaps.get(cluster) ?? []).some((gap) => isWithin(position, gap));
  }

  /** The feed of a cluster passes a gap. */
  addGap(cluster: ClusterName, gap: Gap): void {
    const oldest = this.beginnings.get(cluster)?.position ?? '';
    const kept = (this.gaps.get(cluster) ?? []).filter(({ to }) => isBehind(oldest, to) && to !== gap.to);
    this.gaps.set(cluster, [...kept, gap]);
  }

  append(events: readonly WatchEvent[], resumable: boolean): void {
    for (const event of events) {
      this.logged.push({ event, resumable });
      this.bytes += event.bytes.length;
      this.latest.set(event.cluster, event.position);
    }
    this.trim();
  }

  /** Keeps more events than usual until disposed. */
  pin(): Disposable {
    this.pins++;
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.pins--;
        this.trim();
      },
    };
  }

  /** The events after these positions, in order. Those sent to a watcher that is ahead of the log at that point become not resumable. */
  after(from: Positions): WatchEvent[] {
    // Most watchers are up to date: a thousand of them must not each read the whole log.
    if (from.entries().every(([cluster, position]) => isCovered(this.latest.get(cluster) ?? position, position)))
      return [];
    const missed: WatchEvent[] = [];
    const now = new Map<ClusterName, string>();
    /** The positions that are ahead of the log at this point. Updated step by step: there may be hundreds of clusters. */
    const ahead = new Set(from.keys());
    const moved = (cluster: ClusterName) => {
      const theirs = from.get(cluster);
      if (theirs !== undefined && !isBehind(now.get(cluster)!, theirs)) ahead.delete(cluster);
    };
    for (const { logged, event } of this.replayed(now, moved)) {
      const position = from.get(event.cluster);
      if (position === undefined || isCovered(event.position, position)) continue;
      missed.push(event);
      if (ahead.size > 0) logged.resumable = false;
    }
    return missed;
  }

  /** The number of the next event. Dropped events are counted, too. */
  get end(): number {
    return this.dropped + this.logged.length;
  }

  /** The number of the first of these events; of the next one if there is none. */
  numberOf([event]: readonly WatchEvent[]): number {
    const index = event ? this.logged.findIndex((logged) => logged.event === event) : -1;
    return index < 0 ? this.end : this.dropped + index;
  }

  /**
   * The positions of a client whose last event had this version. Undefined if the log does not have it exactly once, or if
   * `isTheirs` knows of no disconnected watcher that was sent it.
   */
  resumeAt(version: string, isTheirs: (event: number) => boolean): Positions | undefined {
    const found = this.logged.flatMap(({ event }, index) => (event?.version === version ? [index] : []));
    const [index] = found;
    if (index === undefined || found.length > 1 || !this.logged[index]!.resumable) return undefined;
    if (!isTheirs(this.dropped + index)) return undefined;
    const positions = new Map<ClusterName, string>();
    for (const { logged } of this.replayed(positions)) if (logged === this.logged[index]) break;
    return positions;
  }

  /** All events in order, each after `positions` were advanced past it. `moved` is called with the cluster. */
  private *replayed(
    positions: Map<ClusterName, string>,
    moved: (cluster: ClusterName) => void = () => {},
  ): Generator<{ logged: Logged; event: WatchEvent }> {
    const coming = [...this.beginnings].sort(([, a], [, b]) => b.since - a.since);
    for (const [index, logged] of this.logged.entries()) {
      while (coming.length > 0 && coming.at(-1)![1].since <= this.dropped + index) {
        const [cluster, { position }] = coming.pop()!;
        positions.set(cluster, position);
        moved(cluster);
      }
      const { event } = logged;
      if (!event) continue;
      if (positions.has(event.cluster) && isBehind(positions.get(event.cluster)!, event.position)) {
        positions.set(event.cluster, event.position);
        moved(event.cluster);
      }
      yield { logged, event };
    }
  }

  private trim(): void {
    const factor = this.pins > 0 ? pinnedFactor : 1;
    const [mostEvents, mostBytes] = [this.limits.events * factor, this.limits.bytes * factor];
    let gone = 0;
    while (gone < this.logged.length && (this.logged.length - gone > mostEvents || this.bytes > mostBytes)) {
      const { event } = this.logged[gone++]!;
      if (!event) continue;
      const { cluster, position, bytes } = event;
      this.bytes -= bytes.length;
      const beginning = this.beginnings.get(cluster);
      if (beginning && isBehind(beginning.position, position)) beginning.position = position;
    }
    if (gone === 0) return;
    this.logged.splice(0, gone);
    this.dropped += gone;
  }
}
