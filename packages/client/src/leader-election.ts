/**
 * Elects one leader among several processes by a Lease, as client-go does: the holder renews the Lease, and a process that has seen
 * it unchanged for its whole duration takes it. A process that cannot renew stops leading before another one may start.
 */

import { timeText } from '@fleet/kube/time-text.ts';
import { type Clock, deadlineOf, machineClock, sleep } from './clock.ts';
import { isStatus, type KubeClient, type KubeObject } from './kube-client.ts';

interface Lease extends KubeObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

export interface LeaderElectionOptions {
  client: KubeClient;
  /** Of the Lease. */
  namespace: string;
  name: string;
  /** Of this process; it must be unique. */
  identity: string;
  /** The leader's work. Its signal aborts when leadership is lost; another process leads only after it ended or the Lease expired. */
  lead(signal: AbortSignal): Promise<void>;
  onError(error: unknown): void;
  clock?: Clock;
}

/** In milliseconds, as in client-go. */
const [leaseDuration, renewDeadline, retryPeriod] = [15_000, 10_000, 2_000];

export class LeaderElection implements AsyncDisposable {
  readonly #options: LeaderElectionOptions;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  /** The Lease as last read, with the local time: the times in the Lease are of another machine's clock. */
  #seen: { version: string; at: number } | undefined;
  #holder: string | undefined;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#clock = options.clock ?? machineClock;
    this.#running = this.#run();
  }

  /** Stops leading, and releases the Lease. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error('the process is shutting down'));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (await this.#holds(signal)) await this.#lead();
      // Also after leading: what fails as soon as it begins must not write the Lease in a tight loop.
      await this.#pause(signal);
    }
  }

  async #lead(): Promise<void> {
    const losing = new AbortController();
    const lose = () => losing.abort(new Error('leadership was lost'));
    const signal = AbortSignal.any([losing.signal, this.#stopping.signal]);
    const work = this.#options
      .lead(losing.signal)
      .catch((error: unknown) => {
        if (!losing.signal.aborted) this.#options.onError(error);
      })
      .finally(lose);
    // The deadline runs independently of requests: an unresponsive server must not keep this process leading.
    let deadline = this.#clock.timer(renewDeadline, lose);
    while (!signal.aborted) {
      await this.#pause(signal);
      if (signal.aborted) break;
      if (await this.#holds(signal)) {
        deadline[Symbol.dispose]();
        deadline = this.#clock.timer(renewDeadline, lose);
      } else if (this.#holder !== this.#options.identity) break;
    }
    deadline[Symbol.dispose]();
    lose();
    await work;
    await this.#release();
  }

  /** Whether this process holds the Lease now: it was renewed, taken, or created. */
  async #holds(signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#acquire(signal);
    } catch (error) {
      // Another process wrote it first.
      if (!signal.aborted && !isStatus(error, 409)) this.#options.onError(error);
      return false;
    }
  }

  async #acquire(signal: AbortSignal): Promise<boolean> {
    const { client, name, identity } = this.#options;
    const lease = await this.#read(signal);
    if (!lease) {
      const created = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec: this.#spec() };
      this.#note(await client.create<Lease>(this.#path(), created, signal));
      return true;
    }
    const holder = lease.spec?.holderIdentity ?? '';
    const { resourceVersion = '' } = lease.metadata;
    if (this.#seen?.version !== resourceVersion) this.#note(lease);
    const seconds = lease.spec?.leaseDurationSeconds ?? leaseDuration / 1000;
    const expired = this.#clock.now() - this.#seen!.at >= seconds * 1000;
    if (holder !== identity && holder !== '' && !expired) return false;
    const spec = this.#spec(lease, holder === identity);
    this.#note(await client.replace<Lease>(`${this.#path()}/${name}`, { ...lease, spec }, signal));
    return true;
  }

  #note({ metadata, spec }: Lease): void {
    this.#seen = { version: metadata.resourceVersion ?? '', at: this.#clock.now() };
    this.#holder = spec?.holderIdentity;
  }

  #spec({ spec = {} }: Partial<Lease> = {}, isOurs = false): Lease['spec'] {
    const now = microTime(this.#clock.now());
    return {
      ...spec,
      holderIdentity: this.#options.identity,
      leaseDurationSeconds: leaseDuration / 1000,
      acquireTime: isOurs ? (spec.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: (spec.leaseTransitions ?? 0) + (isOurs || !spec.holderIdentity ? 0 : 1),
    };
  }

  /** Lets another process take over without waiting. An unresponsive server is not waited for. */
  async #release(): Promise<void> {
    using deadline = deadlineOf(this.#clock, retryPeriod, new AbortController().signal);
    try {
      const lease = await this.#read(deadline.signal);
      if (lease?.spec?.holderIdentity !== this.#options.identity) return;
      const spec = { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1 };
      await this.#options.client.replace<Lease>(
        `${this.#path()}/${this.#options.name}`,
        { ...lease, spec },
        deadline.signal,
      );
    } catch (error) {
      if (!deadline.isOver && !isStatus(error, 409)) this.#options.onError(error);
    }
  }

  async #read(signal?: AbortSignal): Promise<Lease | undefined> {
    try {
      return await this.#options.client.get<Lease>(`${this.#path()}/${this.#options.name}`, signal);
    } catch (error) {
      if (isStatus(error, 404)) return undefined;
      throw error;
    }
  }

  #path(): string {
    return `/apis/coordination.k8s.io/v1/namespaces/${this.#options.namespace}/leases`;
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await sleep(this.#clock, retryPeriod, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

/** Leases have times with microseconds. */
const microTime = (millis: number): string => timeText(millis).replace(/Z$/, '.000000Z');
