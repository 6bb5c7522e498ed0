/** The few questions that are asked again and again for a while: a yes is kept, and is then taken back. */

import type { Random } from '@fleet/differential/random.ts';
import type { Decisions } from './decisions.ts';
import { allQuestions, clusters, type Question } from './questions.ts';

const size = 6;

export class Focus {
  #questions: Question[] = [];
  readonly #decisions: Decisions;
  readonly #random: Random;

  constructor(decisions: Decisions, random: Random) {
    this.#decisions = decisions;
    this.#random = random;
    for (let index = 0; index < size; index++) this.turn();
  }

  get questions(): readonly Question[] {
    return this.#questions;
  }

  /** The oldest makes way for one that is allowed, as a rule. */
  turn(): void {
    const lists = allQuestions.filter(({ verb }) => verb === 'list');
    const allowed = lists.filter((one) => clusters.some((cluster) => this.#decisions.isAllowed(cluster, one)));
    const candidates = allowed.length > 0 && this.#random.chance(0.8) ? allowed : lists;
    this.#questions = [...this.#questions, this.#random.pick(candidates)].slice(-size);
  }

  /** `random`: of whoever asks; `share`: how often it is one of these. */
  pick(random: Random, share: number): Question {
    return random.pick(random.chance(share) ? this.#questions : allQuestions);
  }
}
