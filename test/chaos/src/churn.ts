/** Writes directly to a member, whether the product can reach it or not. */

import { setTimeout as pass } from 'node:timers/promises';
import type { Member } from '@fleet/bed/member.ts';
import type { Random } from '@fleet/differential/random.ts';
import type { Thing } from './things.ts';

/** Between two writes: enough for some dozens in every fault, and little beside what the clusters themselves do. */
const between = 40;

export class Churn implements AsyncDisposable {
  readonly #member: Member;
  readonly #random: Random;
  readonly #things: readonly Thing[];
  readonly #work: Promise<void>;
  #isOver = false;
  #writes = 0;
  /** Resolved while it writes. */
  #going = Promise.withResolvers<void>();
  /** Resolved when it has stopped writing. */
  #rests = Promise.withResolvers<void>();

  constructor(member: Member, random: Random, things: readonly Thing[]) {
    this.#member = member;
    this.#random = random;
    this.#things = things;
    this.#going.resolve();
    this.#work = this.#run();
  }

  /** Writes that were carried out. */
  get writes(): number {
    return this.#writes;
  }

  /** Nothing is under way when this returns. */
  async pause(): Promise<void> {
    this.#rests = Promise.withResolvers();
    this.#going = Promise.withResolvers();
    await this.#rests.promise;
  }

  resume(): void {
    this.#going.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.resume();
    await this.#work;
  }

  async #run(): Promise<void> {
    for (let round = 1; !this.#isOver; round++) {
      this.#rests.resolve();
      await this.#going.promise;
      if (await this.#isWritten(this.#random.pick(this.#things), round)) this.#writes++;
      await pass(between);
    }
    this.#rests.resolve();
  }

  /** Not if there is no such object, if there is one already, or if the member is unreachable. */
  async #isWritten({ collection, name, stays, body }: Thing, round: number): Promise<boolean> {
    const comesAndGoes = [
      [2, 'POST'],
      [2, 'PATCH'],
      [1, 'DELETE'],
    ] as const;
    const method = stays ? 'PATCH' : this.#random.weighted<'POST' | 'PATCH' | 'DELETE'>(comesAndGoes);
    const path = method === 'POST' ? collection : `${collection}/${name}`;
    const options = {
      method,
      contentType: method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      body: method === 'DELETE' ? undefined : body(round),
      timeout: 5_000,
    };
    try {
      return (await this.#member.api.ask(path, options)).code < 300;
    } catch {
      // killed or frozen by the schedule
      return false;
    }
  }
}
