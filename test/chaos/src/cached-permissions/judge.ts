/** Holds answers against what the members decided, and keeps what they do not allow. */

import type { Decisions } from './decisions.ts';
import { rowsFor } from './objects.ts';
import { Pace } from './pace.ts';
import { type Cluster, clusters, keyOf, type Question } from './questions.ts';
import type { Rows } from './rows.ts';

/** More than the member allows. */
export const shownMore = 'shown although it is refused';
export const sentMore = 'sent although it is refused';
export const openMore = 'open although it is refused';
export const tooMuch: readonly string[] = [shownMore, sentMore, openMore];

export interface Violation {
  /** `list`, `watch` and so on. */
  readonly request: string;
  readonly fault: string;
  readonly question: string;
  readonly cluster: Cluster | undefined;
  readonly at: number;
  readonly detail: string;
}

export interface Asked {
  readonly request: string;
  /** By the first it is decided what is shown. A watch begins with a list, and goes on if that is allowed, too. */
  readonly questions: readonly [Question, ...Question[]];
  /** The codes where all members refuse. */
  readonly refusals: readonly number[];
  /** When it was sent, and when all of its answer was there. */
  readonly from: number;
  readonly to: number;
  readonly detail: string;
}

/** What a busy machine may take to end a stream, in milliseconds. */
const slack = 500;
/** How long after a change a watch may still end for it, in milliseconds. */
const endsFor = 13_000;

export class Judge {
  readonly violations: Violation[] = [];
  /** How many answers there were, about how many of the members' parts there was no doubt, and how many showed something. */
  answers = 0;
  decided = 0;
  shown = 0;
  /** Of the parts that are refused: those that were allowed a while before. */
  revoked = 0;
  /** Watches that were ended for what was revoked. */
  ended = 0;
  /** Parts that were held against the member's own answer. */
  compared = 0;
  readonly pace = new Pace();
  readonly #decisions: Decisions;

  constructor(decisions: Decisions) {
    this.#decisions = decisions;
  }

  permits(cluster: Cluster, { questions, from, to }: Pick<Asked, 'questions' | 'from' | 'to'>, more = 0): boolean {
    const slack = more + this.pace.allowance(from, to);
    return this.#decisions.permits(cluster, questions[0], from, to, slack);
  }

  requires(cluster: Cluster, { questions, from, to }: Pick<Asked, 'questions' | 'from' | 'to'>): boolean {
    return questions.every((question) => this.#decisions.requires(cluster, question, from, to));
  }

  /** A whole answer. */
  answer(asked: Asked, status: number, rows: Rows): void {
    this.answers++;
    if (status !== 200 && !asked.refusals.includes(status)) this.unexpected(asked, `answered with ${status}`);
    let isPossible = false;
    for (const cluster of clusters) {
      const isPermitted = this.permits(cluster, asked);
      const isRequired = this.requires(cluster, asked);
      isPossible ||= isPermitted;
      if (!isPermitted || isRequired) this.decided++;
      if (!isPermitted && this.permits(cluster, asked, 20_000)) this.revoked++;
      const held = rows.get(cluster);
      if (held) this.rows(asked, cluster, held);
      else if (isRequired) this.#found(asked, cluster, 'missing although it is allowed');
    }
    if (status === 200 && !isPossible) this.#found(asked, undefined, shownMore);
  }

  /** What an answer holds of one cluster; of a page less than all. */
  rows(asked: Asked, cluster: Cluster, held: ReadonlySet<string>, isPage = false): void {
    this.shown++;
    if (!this.permits(cluster, asked)) this.#found(asked, cluster, shownMore);
    const expected = rowsFor(asked.questions[0]);
    const more = held.difference(expected);
    if (more.size > 0) this.#found(asked, cluster, `more than was asked for: ${[...more]}`);
    const less = expected.difference(held);
    if (!isPage && less.size > 0) this.#found(asked, cluster, `without ${[...less]}`);
  }

  /** All pages of a list; one may have been refused for what changed on the way. */
  pages(asked: Asked, status: number, held: Rows): void {
    this.answers++;
    const required = clusters.filter((cluster) => this.requires(cluster, asked));
    if (required.length === clusters.length && status !== 200) this.unexpected(asked, `answered with ${status}`);
    if (![200, 410, ...asked.refusals].includes(status)) this.unexpected(asked, `answered with ${status}`);
    if (status !== 200) return;
    const expected = rowsFor(asked.questions[0]);
    for (const cluster of required) {
      const less = expected.difference(held.get(cluster) ?? new Set());
      if (less.size > 0) this.#found(asked, cluster, `without ${[...less]}`);
    }
  }

  /** What the member itself answered the same user at the same time. */
  direct(asked: Asked, cluster: Cluster, status: number, rows: ReadonlySet<string>, shown: Rows): void {
    const { from, to, questions } = asked;
    const [question] = questions;
    const possible = this.#decisions.possible(cluster, question, from, to);
    const isSure = (status === 200 || status === 403) && possible.has(status === 200);
    // A fault of the model: its answers do not count then.
    if (!isSure) this.#found(asked, cluster, `the member answers ${status}, the model has ${[...possible]}`);
    if (!isSure || this.#decisions.possible(cluster, question, from - 10_000, to).size > 1) return;
    this.compared++;
    const held = shown.get(cluster) ?? new Set();
    if (held.symmetricDifference(rows).size > 0)
      this.#found(asked, cluster, `the member shows ${[...rows]}, the answer ${[...held]}`);
  }

  /** An event behind the initial ones. */
  event(asked: Asked, cluster: Cluster): void {
    if (!this.permits(cluster, { ...asked, from: asked.to }, slack)) this.#found(asked, cluster, sentMore);
  }

  /** A watch that is open at `to`. Returns whether it should be. */
  open(asked: Asked, cluster: Cluster): boolean {
    const may = this.permits(cluster, { ...asked, from: asked.to }, slack);
    if (!may) this.#found(asked, cluster, openMore);
    return may;
  }

  /** A watch that the server ended; `held`: clusters of which it has sent something. */
  end(asked: Asked, held: Iterable<Cluster>, code: number | undefined): void {
    const at = { ...asked, from: asked.to - endsFor - this.pace.allowance(asked.to - endsFor, asked.to) };
    const hasReason = [...held].some((cluster) => !this.requires(cluster, at));
    if (hasReason) this.ended++;
    if (!hasReason) this.#found(asked, undefined, `ended with ${code} without a reason`);
    else if (code !== 410) this.#found(asked, undefined, `ended with ${code}`);
  }

  unexpected(asked: Asked, what: string): void {
    this.#found(asked, undefined, what);
  }

  #found({ request, questions, to, detail }: Asked, cluster: Cluster | undefined, fault: string): void {
    const question = keyOf(questions.at(-1)!);
    this.violations.push({ request, fault, question, cluster, at: to, detail });
  }
}
