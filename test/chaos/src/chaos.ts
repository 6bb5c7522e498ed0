/** Faults in a seed's order while members are written to; after each, informers must hold just what the members have. */

import type { Member } from '@fleet/bed/member.ts';
import { until } from '@fleet/bed/until.ts';
import { Random } from '@fleet/differential/random.ts';
import { Churn } from './churn.ts';
import { difference } from './difference.ts';
import { faults as allFaults, deck, type FaultName } from './faults.ts';
import { type ChaosFleet, configMaps, widgets } from './fleet.ts';
import { type Deletion, type Held, Informers, type Mode } from './informers.ts';
import { busy, type Thing } from './things.ts';

const modes: readonly Mode[] = ['list', 'watch-list'];

/** The member leaves the view by the control plane's word, so that its objects may be reported as deleted. */
const leaving: ReadonlySet<FaultName> = new Set<FaultName>([
  'removed',
  'inactive',
  'back and slow',
  'one leaves while another is unreachable',
]);

export interface ChaosOptions {
  seed: string;
  /** The view of this member alone, by plain names, instead of that of all. */
  only?: Member;
  /** What is written; `busy` otherwise. */
  things?: readonly Thing[];
  /** In seconds: how soon informers must hold what there is. By default a minute and what a reflector waits between two tries. */
  deadline?: number;
}

export interface Schedule {
  /** No fault begins later. */
  seconds: number;
  /** These, in this order, instead of the seed's. */
  faults?: readonly FaultName[];
}

export class Chaos implements AsyncDisposable {
  readonly #fleet: ChaosFleet;
  readonly #only: Member | undefined;
  readonly #deadline: number;
  readonly #informers: readonly Informers[];
  readonly #churns: readonly Churn[];
  readonly #random: Random;
  /** Clusters that the view may have lost since informers last held what is there. */
  readonly #possiblyGone = new Set<string>();
  readonly #wrong: string[] = [];

  constructor(fleet: ChaosFleet, { seed, only, things = busy, deadline = 120 }: ChaosOptions) {
    this.#fleet = fleet;
    this.#only = only;
    this.#deadline = deadline * 1_000;
    this.#random = new Random(seed);
    const kubeconfig = fleet.product.adminKubeconfig;
    const at = only ? `/clusterspaces/${only.name}` : '';
    this.#informers = modes.map(
      (mode) => new Informers({ kubeconfig, at, mode, onDeleted: (deletion) => this.#judge(deletion) }),
    );
    this.#churns = fleet.members.map((member) => new Churn(member, new Random(`${seed} ${member.name}`), things));
  }

  /** Events that informers received and should not have received. */
  get wrong(): string[] {
    return [...this.#wrong, ...this.#informers.flatMap(({ wrong }) => wrong)];
  }

  get writes(): number {
    return this.#churns.reduce((sum, { writes }) => sum + writes, 0);
  }

  /** Returns what happened. */
  async run({ seconds, faults }: Schedule): Promise<string[]> {
    const happened: string[] = [];
    const end = Date.now() + seconds * 1_000;
    await this.#fleet.heal();
    await this.settled('the beginning');
    for (const name of faults ?? deck(this.#random)) {
      // Two at least, however long a busy machine takes for them.
      if (!faults && happened.length > 1 && Date.now() > end) break;
      happened.push(await this.#strike(name, Math.max(2, seconds / 10)));
    }
    return happened;
  }

  /** Nothing is written meanwhile: every informer comes to hold just what the members in the view have. */
  async settled(after: string): Promise<void> {
    await this.still();
    let left: string[] = [];
    const isOver = async () => {
      left = await this.differences();
      return left.length === 0 || this.wrong.length > 0;
    };
    try {
      await until(`informers hold what there is after ${after}`, isOver, { timeout: this.#deadline, every: 200 });
    } catch (cause) {
      throw new Error(`informers do not hold what there is after ${after}:\n${await this.#history(left)}`, { cause });
    }
    if (this.wrong.length > 0) throw new Error(`after ${after}:\n${this.wrong.slice(0, 30).join('\n')}`);
    for (const churn of this.#churns) churn.resume();
  }

  /** Members are written to no more. */
  async still(): Promise<void> {
    await Promise.all(this.#churns.map((churn) => churn.pause()));
  }

  /** How informers and members differ, one message each. */
  async differences(): Promise<string[]> {
    const [maps, custom] = await Promise.all([configMaps, widgets].map((path) => this.#fleet.truth(path, this.#only)));
    const all = await Promise.all(
      this.#informers.map(async (informers) => {
        const stores = [...(await informers.stores())];
        return stores.flatMap(([name, held]) =>
          unlike(held, name === 'custom' ? custom! : maps!, informers.mode, name),
        );
      }),
    );
    return all.flat();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#churns.map((churn) => churn[Symbol.asyncDispose]()));
    await Promise.all(this.#informers.map((informers) => informers[Symbol.asyncDispose]()));
  }

  async #strike(name: FaultName, longest: number): Promise<string> {
    const member = this.#only ?? this.#random.pick(this.#fleet.members);
    const another = this.#random.pick(this.#fleet.members.filter((one) => one !== member));
    const begun = Date.now();
    if (leaving.has(name)) this.#possiblyGone.add(member.name);
    const what = `${name}: ${member.name}`;
    const settled = () => this.settled(`half of ${what}`);
    await allFaults[name]({ fleet: this.#fleet, random: this.#random, longest, settled }, member, another);
    const healed = Date.now();
    await this.settled(what);
    this.#possiblyGone.delete(member.name);
    return `${what}, ${healed - begun} ms, held again after ${Date.now() - healed} ms`;
  }

  #judge({ informer, what: { name, cluster } }: Deletion): void {
    if (!this.#possiblyGone.has(cluster)) this.#wrong.push(`${informer}: ${name} was reported as deleted`);
  }

  /** The differences, with what informers received of the first of those objects. */
  async #history(left: readonly string[]): Promise<string> {
    const uid = left.map((line) => /[0-9a-f-]{36}/.exec(line)?.[0]).find((found) => found !== undefined);
    const histories = uid
      ? await Promise.all(
          this.#informers.map(async (one) => `${one.mode}: ${JSON.stringify(await one.histories(uid), null, 1)}`),
        )
      : [];
    return [...left.slice(0, 30), ...histories].join('\n');
  }
}

const unlike = (held: Held[] | null, truth: readonly Held[], mode: Mode, informer: string): string[] =>
  (held ? difference(held, truth) : ['it has not synced']).map((line) => `${mode}, ${informer}: ${line}`);
