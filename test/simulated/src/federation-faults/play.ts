/** Plays the scenario with processes that are killed, or whose requests fail, and sees what is there at rest after each step. */

import { Random } from '@fleet/differential/random.ts';
import { runFederation } from '@fleet/federation/run-federation.ts';
import { Gate, type Plan } from './gate.ts';
import { leftByTheDead } from './invariants.ts';
import { partsOf } from './parts.ts';
import { pause, Rest } from './rest.ts';
import { type Step, scenario } from './scenario.ts';
import { type State, stateOf } from './state.ts';
import { newWorld, noteTrespass, places, type World } from './world.ts';

export interface Played {
  /** After each step. */
  states: State[];
  /** Of each step. */
  writes: number[];
  /** How many faults there were. */
  faults: number;
}

export interface PlayOptions {
  seed: string;
  /** In each step. */
  plan?: Plan;
  /** Each process is killed so, until everything is at rest; otherwise only the first one of a step. */
  again?: boolean;
  /** What is to be there after each step. Without it everything is given time to come to rest. */
  expected?: readonly State[];
}

export class Player implements AsyncDisposable {
  readonly world: World = newWorld();
  readonly #options: PlayOptions;
  readonly #random: Random;
  readonly #rest = new Rest(this.world);
  readonly #ended: Promise<unknown>[] = [];
  #process!: { gate: Gate; ending: AbortController };
  #faults = 0;
  #findings: string[] = [];

  constructor(options: PlayOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#start();
  }

  async play(steps: readonly Step[] = scenario): Promise<Played> {
    const played: Played = { states: [], writes: [], faults: 0 };
    for (const [index, step] of steps.entries()) {
      this.#process.gate.arm(this.#options.plan);
      await step.act(this.world);
      const expected = this.#options.expected?.[index];
      if (expected) await this.#rest.until(expected, step.name);
      else await this.#untilDone(step);
      played.states.push(expected ?? stateOf(this.world));
      played.writes.push(this.#process.gate.writes);
      this.#throwFindings(step.name);
      if (!this.#options.again) this.#faults += Number(this.#process.gate.isStruck);
    }
    this.#process.gate.arm(undefined);
    return { ...played, faults: this.#faults };
  }

  /** How many requests wrote something, or tried to, while all watches broke and everything was listed anew. */
  async writesAtRest(): Promise<string[]> {
    this.#process.gate.arm(undefined);
    await this.#rest.quiet();
    const marks = places(this.world).map(([, server]) => server.writes.length);
    for (const [, { objects }] of places(this.world)) objects.oldest = objects.version;
    this.#process.gate.endWatches();
    await pause();
    await this.#rest.quiet();
    return places(this.world).flatMap(([place, { writes }], index) =>
      writes.slice(marks[index]).map((write) => `${write} in ${place}`),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.ending.abort();
    await Promise.all(this.#ended);
  }

  async #untilDone({ name, isDone }: Step): Promise<void> {
    await this.#rest.quiet();
    for (let tries = 0; isDone && !isDone(this.world); tries++) {
      if (tries === 20) throw new Error(`"${name}" is never done`);
      await this.#rest.quiet();
    }
  }

  #start(): void {
    const { plan, again } = this.#options;
    const ending = new AbortController();
    const gate: Gate = new Gate({
      random: this.#random,
      onWrite: (write) => noteTrespass(this.world, write),
      onKilled: () => {
        this.#faults++;
        this.#findings.push(...leftByTheDead(this.world));
        ending.abort(new Error('killed'));
        this.#start();
        if (again) this.#process.gate.arm(plan);
      },
    });
    this.#process = { gate, ending };
    const run = async (): Promise<void> => {
      const parts = partsOf(this.world, gate, (fields, text) => this.#rest.warned(fields, text));
      // What fails while it starts is started again, as whoever leads does.
      while (!ending.signal.aborted) {
        await runFederation(parts, ending.signal).catch((error: unknown) => this.#rest.warned({ err: error }, ''));
        if (!ending.signal.aborted) await pause();
      }
    };
    this.#ended.push(run());
  }

  #throwFindings(step: string): void {
    const findings = [...this.#findings, ...this.world.trespasses];
    if (findings.length > 0) throw new Error(`in "${step}": ${findings.join('\n')}`);
  }
}
