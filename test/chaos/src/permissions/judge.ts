/** Holds answers against the model, and keeps what it does not allow. */

import { type Cluster, clusters, type Model, type User } from './model.ts';

export interface Violation {
  /** `list`, `watch` and so on. */
  readonly request: string;
  /** `sent although the member forbids it`. */
  readonly fault: string;
  readonly user: User;
  readonly cluster: Cluster | undefined;
  readonly at: number;
  readonly detail: string;
}

export interface Asked {
  readonly request: string;
  readonly user: User;
  /** When it was sent, and when all of its answer was there. */
  readonly from: number;
  readonly to: number;
  readonly detail: string;
}

export class Judge {
  readonly violations: Violation[] = [];
  /** How many answers were held against the model, and how many of them it decided about. */
  answers = 0;
  decided = 0;
  readonly #model: Model;

  constructor(model: Model) {
    this.#model = model;
  }

  /** `held`: clusters of which something was in the answer; `about`: those that were asked for. */
  answer(asked: Asked, about: readonly Cluster[], held: ReadonlySet<Cluster>): void {
    const { user, from, to } = asked;
    this.answers++;
    for (const cluster of about) {
      const by = this.#model.forbids(user, cluster, from, to);
      const isRequired = this.#model.requires(user, cluster, from, to);
      if (by || isRequired) this.decided++;
      if (held.has(cluster) && by) this.#found(asked, cluster, `answered although the ${by} forbids it`);
      if (!held.has(cluster) && isRequired) this.#found(asked, cluster, 'refused although it is granted');
    }
  }

  event(asked: Asked, cluster: Cluster): void {
    this.answers++;
    const by = this.#model.forbidsEvent(asked.user, cluster, asked.from, asked.to);
    if (by) this.#found(asked, cluster, `sent although the ${by} forbids it`);
  }

  /** A watch that is open at `to`; `held`: clusters of which it has sent something. */
  open(asked: Asked, held: ReadonlySet<Cluster>): void {
    for (const cluster of held)
      if (this.#model.mustHaveEnded(asked.user, cluster, asked.to))
        this.#found(asked, cluster, 'open although the plane forbids it');
  }

  /** A watch that the server ended. */
  ended(asked: Asked, code: number | undefined): void {
    if (!this.#model.canEnd(asked.user, asked.to)) this.#found(asked, undefined, 'ended without a reason');
    else if (code !== undefined && code !== 410) this.#found(asked, undefined, `ended with ${code}`);
  }

  /** A watch that was open long enough to have sent something of every cluster. */
  silent(asked: Asked, held: ReadonlySet<Cluster>): void {
    for (const cluster of clusters)
      if (!held.has(cluster) && this.#model.requires(asked.user, cluster, asked.from, asked.to))
        this.#found(asked, cluster, 'silent although it is granted');
  }

  unexpected(asked: Asked, what: string): void {
    this.#found(asked, undefined, what);
  }

  #found({ request, user, to, detail }: Asked, cluster: Cluster | undefined, fault: string): void {
    this.violations.push({ request, fault, user, cluster, at: to, detail });
  }
}
