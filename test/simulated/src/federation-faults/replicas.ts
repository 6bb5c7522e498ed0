/** Two processes with one leader: in each step the leader is killed, cut off from the control plane, or stopped, and the other takes over. */

import { LeaderElection } from '@fleet/client/leader-election.ts';
import { ManualClock } from '@fleet/client/testing/manual-clock.ts';
import { Random } from '@fleet/differential/random.ts';
import { runFederation } from '@fleet/federation/run-federation.ts';
import { Gate, type GateWrite } from './gate.ts';
import { leftByTheDead } from './invariants.ts';
import { partsOf } from './parts.ts';
import { Rest } from './rest.ts';
import { scenario } from './scenario.ts';
import type { State } from './state.ts';
import { newWorld, noteTrespass, type World } from './world.ts';

export type LeaderFault = 'killed' | 'cut off' | 'stopped';

export interface ReplicasOptions {
  seed: string;
  fault: LeaderFault;
  /** The write of the leader that it befalls it after, in each step. */
  at: number;
  expected: readonly State[];
}

interface Replica {
  name: string;
  gate: Gate;
  election: LeaderElection;
}

const lease = { group: 'coordination.k8s.io', resource: 'leases', namespace: 'default' };
const leaseName = 'federation';
/** A round of the event loop is a second of the Lease. */
const tickMillis = 1_000;

export class Replicas implements AsyncDisposable {
  readonly world: World = newWorld();
  readonly #clock = new ManualClock();
  readonly #rest = new Rest(this.world, () => this.#clock.advance(tickMillis));
  readonly #options: ReplicasOptions;
  readonly #random: Random;
  readonly #findings: string[] = [];
  readonly #ended: Promise<unknown>[] = [];
  readonly #replicas = new Set<Replica>();
  #names = 0;
  /** The leader of this step has had its fault. */
  #isStruck = false;
  /** Who has written, in order: each name once for each time it led. */
  readonly writers: string[] = [];

  constructor(options: ReplicasOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
  }

  /** How often the leader was another one. */
  async play(): Promise<number> {
    for (let count = 0; count < 2; count++) this.#start();
    for (const [index, { name, act }] of scenario.entries()) {
      this.#isStruck = false;
      for (const { gate } of this.#replicas) gate.arm(undefined);
      await act(this.world);
      await this.#rest.until(this.#options.expected[index]!, name);
      for (const { gate } of this.#replicas) gate.heal();
      const findings = [...this.#findings, ...this.world.trespasses];
      if (findings.length > 0) throw new Error(`in "${name}": ${findings.slice(0, 5).join('\n')}`);
    }
    return this.writers.length - 1;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { gate, election } of this.#replicas) {
      gate.heal();
      this.#ended.push(election[Symbol.asyncDispose]());
    }
    // Whoever stops waits for answers by the clock.
    const all = Promise.all(this.#ended).then(() => true);
    while (!(await Promise.race([all, this.#clock.advance(tickMillis)])));
  }

  #start(): void {
    const name = `replica ${++this.#names}`;
    const gate: Gate = new Gate({
      random: this.#random,
      onWrite: (write) => this.#noteWrite(name, write),
      onWritten: (count) => {
        if (count === this.#options.at && !this.#isStruck && this.#holder() === name) this.#strike(replica);
      },
    });
    const election = new LeaderElection({
      client: gate.to('control plane', this.world.controlPlane),
      namespace: lease.namespace,
      name: leaseName,
      identity: name,
      clock: this.#clock,
      onError: () => {},
      lead: (signal) =>
        runFederation(
          partsOf(this.world, gate, (fields, text) => this.#rest.warned(fields, text)),
          signal,
        ),
    });
    const replica: Replica = { name, gate, election };
    this.#replicas.add(replica);
  }

  #strike(replica: Replica): void {
    this.#isStruck = true;
    const { gate, election } = replica;
    switch (this.#options.fault) {
      case 'cut off':
        // From the control plane alone: what it still knows to do it could do in members.
        gate.cut('control plane');
        return;
      case 'killed':
        gate.kill();
        this.#findings.push(...leftByTheDead(this.world));
        break;
      case 'stopped':
        break;
      default:
        this.#options.fault satisfies never;
    }
    this.#replicas.delete(replica);
    this.#ended.push(election[Symbol.asyncDispose]());
    this.#start();
  }

  #holder(): string | undefined {
    const found = this.world.controlPlane.objects.find(lease, leaseName);
    return (found?.['spec'] as { holderIdentity?: string } | undefined)?.holderIdentity;
  }

  #noteWrite(name: string, write: GateWrite): void {
    noteTrespass(this.world, write);
    if (this.writers.at(-1) !== name) this.writers.push(name);
    const holder = this.#holder();
    if (holder !== name) {
      this.#findings.push(
        `${name} wrote while ${holder || 'nobody'} led: ${write.method} ${write.path} in ${write.place}`,
      );
    }
  }
}
