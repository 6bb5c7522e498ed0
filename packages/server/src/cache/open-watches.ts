/** Open cached watches. The access review of each is repeated, and the watch ends when the member no longer allows it (IMP-3). */

import type { Clock } from '@fleet/client/clock.ts';

/** The result of a repeated review. */
export type Renewal =
  /** `again`: in milliseconds until the next. */
  | { is: 'yes'; again: number }
  | { is: 'no' }
  | { is: 'unknown' }
  /** The member was not asked: our own queue was full. */
  | { is: 'busy' };

export interface OpenWatchesOptions {
  clock: Clock;
}

interface Group {
  key: string;
  member: string;
  renew(): Promise<Renewal>;
  lost: Set<() => void>;
  timer: Disposable | undefined;
  failures: number;
  /** Since when the member could not be asked; undefined if it could. */
  busySince: number | undefined;
  isAsking: boolean;
  /** Something has changed since the review in flight was sent. */
  isDue: boolean;
}

/** Retries after reviews without a usable answer, 1 s, 2 s and 4 s later, before the watches end. */
const mostFailures = 3;
/** In milliseconds. Our own queue is no reason to end a watch, but no watch stays open for ever without its yes, either. */
const longestBusy = 30_000;

export class OpenWatches implements Disposable {
  private readonly clock: Clock;
  /** Equal watches of one user share a group, and its reviews. */
  private readonly groups = new Map<string, Group>();
  private readonly byMember = new Map<string, Set<Group>>();

  constructor({ clock }: OpenWatchesOptions) {
    this.clock = clock;
  }

  get size(): number {
    return this.groups.size;
  }

  /** `again`: in milliseconds until the first repeated review. Returns a function that ends it. */
  hold(key: string, member: string, again: number, renew: () => Promise<Renewal>, lost: () => void): () => void {
    let group = this.groups.get(key);
    if (!group) {
      const state = { timer: undefined, failures: 0, busySince: undefined, isAsking: false, isDue: false };
      group = { key, member, renew, lost: new Set(), ...state };
      this.groups.set(key, group);
      const those = this.byMember.get(member) ?? new Set();
      this.byMember.set(member, those.add(group));
      this.rearm(group, again);
    }
    // A new function each, so that a Set keeps two equal callbacks apart.
    const own = () => lost();
    group.lost.add(own);
    return () => {
      group.lost.delete(own);
      if (group.lost.size === 0) this.remove(group);
    };
  }

  /** Permissions in this member may have changed. */
  memberChanged(member: string): void {
    for (const group of this.byMember.get(member) ?? []) this.check(group);
  }

  [Symbol.dispose](): void {
    for (const group of this.groups.values()) this.remove(group);
  }

  private rearm(group: Group, millis: number): void {
    group.timer?.[Symbol.dispose]();
    group.timer = this.clock.timer(millis, () => this.check(group));
  }

  private check(group: Group): void {
    group.isDue = group.isAsking;
    if (group.isAsking) return;
    group.isAsking = true;
    group.renew().then(
      (renewal) => this.renewed(group, renewal),
      () => this.renewed(group, { is: 'unknown' }),
    );
  }

  private renewed(group: Group, renewal: Renewal): void {
    group.isAsking = false;
    if (this.groups.get(group.key) !== group) return;
    const now = this.clock.now();
    group.busySince = renewal.is === 'busy' ? (group.busySince ?? now) : undefined;
    if (group.isDue) {
      this.check(group);
    } else if (renewal.is === 'yes') {
      group.failures = 0;
      this.rearm(group, renewal.again);
    } else if (renewal.is === 'unknown' && group.failures < mostFailures) {
      this.rearm(group, 1_000 * 2 ** group.failures++);
    } else if (group.busySince !== undefined && now - group.busySince < longestBusy) {
      this.rearm(group, 1_000);
    } else this.end(group);
  }

  private end(group: Group): void {
    this.remove(group);
    for (const lost of group.lost) lost();
  }

  private remove(group: Group): void {
    group.timer?.[Symbol.dispose]();
    if (this.groups.get(group.key) === group) this.groups.delete(group.key);
    const those = this.byMember.get(group.member);
    those?.delete(group);
    if (those?.size === 0) this.byMember.delete(group.member);
  }
}
