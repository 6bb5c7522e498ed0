/** Who is permitted what, when: the control plane's permission to reach a cluster, and the cluster's own to read. */

import { Timeline } from './timeline.ts';

export const clusters = ['member1', 'member2'] as const;
export type Cluster = (typeof clusters)[number];
export const users = ['una', 'vic'] as const;
export type User = (typeof users)[number];
export type Level = 'plane' | 'member';

/** Decisions of the control plane are kept for 10 s, and open watches are asked about again within 10 s (AUTHZ-2). */
const keptFor = 10_000;
/** What a busy machine may take beyond that for a timer and an answer. */
const slack = 2_500;

export class Model {
  readonly #timelines = new Map<string, Timeline>();

  constructor() {
    for (const user of users)
      for (const cluster of clusters)
        for (const level of ['plane', 'member']) this.#timelines.set(`${level} ${user} ${cluster}`, new Timeline(true));
  }

  of(level: Level, user: User, cluster: Cluster): Timeline {
    return this.#timelines.get(`${level} ${user} ${cluster}`)!;
  }

  /** Nothing of the cluster may be in an answer to a request that was under way from `from` to `to`. */
  forbids(user: User, cluster: Cluster, from: number, to: number): Level | undefined {
    if (this.of('plane', user, cluster).over(from - keptFor, to) === 'no') return 'plane';
    if (this.of('member', user, cluster).over(from, to) === 'no') return 'member';
    return undefined;
  }

  /** What there is in the cluster must be in the answer. */
  requires(user: User, cluster: Cluster, from: number, to: number): boolean {
    return (
      this.of('plane', user, cluster).over(from - keptFor, to) === 'yes' &&
      this.of('member', user, cluster).over(from, to) === 'yes'
    );
  }

  /** No event of the cluster may come at `at` in a watch that was asked for at `opened`. */
  forbidsEvent(user: User, cluster: Cluster, opened: number, at: number): Level | undefined {
    // The member's permission counts when the watch is opened: an open feed may go on, as in kube-apiserver.
    return this.mustHaveEnded(user, cluster, at) ? 'plane' : this.forbids(user, cluster, opened, at);
  }

  /** A watch that has the cluster in it must have ended by then. */
  mustHaveEnded(user: User, cluster: Cluster, at: number): boolean {
    return this.of('plane', user, cluster).over(at - keptFor - slack, at) === 'no';
  }

  /** Whether anything changed for the user that an open watch may have to end for. */
  canEnd(user: User, at: number): boolean {
    const from = at - keptFor - 2 * slack;
    return clusters.some(
      (cluster) =>
        this.of('plane', user, cluster).over(from, at) !== 'yes' ||
        this.of('member', user, cluster).over(from, at) !== 'yes',
    );
  }
}
