/** What every controller is made of: a queue of keys, a function that brings one of them to what its spec asks for, its Events. */

import { EventRecorder } from '@fleet/client/event-recorder.ts';
import { isNamespaceTerminating, type KubeClient } from '@fleet/client/kube-client.ts';
import { Pace } from '@fleet/client/pace.ts';
import type { SharedInformers } from '@fleet/client/shared-informers.ts';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { Expectations } from './expectations.ts';
import type { ScaledTime } from './scaled-time.ts';

/** What all controllers of a cluster share. */
export interface ControllerParts {
  client: KubeClient;
  informers: SharedInformers;
  clock: ScaledTime;
  /** Resolves when all informers have their first list. */
  ready: Promise<void>;
  signal: AbortSignal;
  onError(error: unknown): void;
}

export interface ReconcilerOptions {
  parts: ControllerParts;
  /** The source component of Events. */
  component: string;
  reconcile(key: string): Promise<void>;
}

/** As client-go's rate limiter begins; it doubles each time. */
const firstRetry = 5;
const longestRetry = 1_000_000;
/** As kube-controller-manager's --concurrent-*-syncs. */
const workers = 5;

export class Reconciler implements AsyncDisposable {
  readonly parts: ControllerParts;
  readonly events: EventRecorder;
  readonly expectations: Expectations;
  readonly #queue: WorkQueue<string>;

  constructor({ parts, component, reconcile }: ReconcilerOptions) {
    this.parts = parts;
    this.events = new EventRecorder({ client: parts.client, component, onError: parts.onError });
    this.expectations = new Expectations(parts.signal);
    this.#queue = new WorkQueue<string>({
      work: (key) => this.#work(key, reconcile),
      onError: parts.onError,
      retryMillis: firstRetry,
      longestRetryMillis: longestRetry,
      workers,
      pace: new Pace(),
    });
  }

  add(key: string): void {
    this.#queue.add(key, key);
  }

  addAfter(key: string, millis: number): void {
    this.#queue.addAfter(key, key, millis);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue[Symbol.asyncDispose]();
    await this.events[Symbol.asyncDispose]();
  }

  async #work(key: string, reconcile: (key: string) => Promise<void>): Promise<boolean> {
    const { ready, signal } = this.parts;
    try {
      await ready;
      await this.expectations.settled(key);
      if (signal.aborted) return true;
      await reconcile(key);
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      // Somebody else was faster, or the object is on its way out: looked at again, and nothing to report.
      if (error instanceof StatusError && [404, 409].includes(error.code)) return false;
      if (isNamespaceTerminating(error)) return true;
      throw error;
    }
  }
}
