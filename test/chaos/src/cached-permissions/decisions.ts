/** What each member's authorisers decided about each question, over time, and what a cached answer may make of it (IMP-3). */

import { allQuestions, type Cluster, clusters, keyOf, type Question } from './questions.ts';
import { Track } from './track.ts';
import type { Opinion } from './webhook-rules.ts';

/** In milliseconds: after what RBAC revoked, and after anything else. */
export const [rbacBound, otherBound] = [1_000, 10_000];

export interface Tracks {
  readonly rbac: Track<boolean>;
  readonly webhook: Track<Opinion>;
}

/** `canDeny`: the webhook is asked before RBAC. */
const decide = (canDeny: boolean, rbac: boolean, webhook: Opinion): boolean =>
  canDeny ? webhook === 'allow' || (rbac && webhook !== 'deny') : rbac || webhook === 'allow';

export class Decisions {
  readonly #tracks = new Map<string, Tracks>();

  constructor() {
    for (const cluster of clusters)
      for (const question of allQuestions)
        this.#tracks.set(`${cluster} ${keyOf(question)}`, { rbac: new Track(false), webhook: new Track('none') });
  }

  of(cluster: Cluster, question: Question): Tracks {
    return this.#tracks.get(`${cluster} ${keyOf(question)}`)!;
  }

  /** As it is when everything on its way has arrived. */
  isAllowed(cluster: Cluster, question: Question): boolean {
    const { rbac, webhook } = this.of(cluster, question);
    return decide(canDeny(cluster), rbac.value, webhook.value);
  }

  /** What the member itself may have answered at some moment of this time. */
  possible(cluster: Cluster, question: Question, from: number, to: number): ReadonlySet<boolean> {
    const { rbac, webhook } = this.of(cluster, question);
    const answers = new Set<boolean>();
    for (const at of [from, ...rbac.momentsIn(from, to), ...webhook.momentsIn(from, to)])
      for (const one of rbac.possibleAt(at))
        for (const other of webhook.possibleAt(at)) answers.add(decide(canDeny(cluster), one, other));
    return answers;
  }

  /** The member allowed it all the time: what it has must be in an answer, as what is no yes is asked of the member. */
  requires(cluster: Cluster, question: Question, from: number, to: number): boolean {
    return !this.possible(cluster, question, from, to).has(false);
  }

  /**
   * Whether an answer to a request that was under way from `from` to `to` may show what the member has. A yes that RBAC has
   * taken back counts for a second at most, any other for ten.
   */
  permits(cluster: Cluster, question: Question, from: number, to: number, slack = 0): boolean {
    const [lately, before] = [from - rbacBound - slack, from - otherBound - slack];
    if (this.possible(cluster, question, lately, to).has(true)) return true;
    const { rbac, webhook } = this.of(cluster, question);
    if (webhook.possibleIn(before, to).has('allow')) return true;
    // RBAC still allows it, and the webhook has come to deny it.
    const isHeld = canDeny(cluster) && rbac.possibleIn(lately, to).has(true);
    return isHeld && this.possible(cluster, question, before, to).has(true);
  }
}

const canDeny = (cluster: Cluster): boolean => cluster === 'webhook-first';
