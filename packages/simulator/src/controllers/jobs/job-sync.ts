/** One sync of a Job: the steps of `syncJob` in Kubernetes' controller. */

import { isDeepStrictEqual } from 'node:util';
import { timeText } from '@fleet/kube/time-text.ts';
import type { Pod } from '../../pods/pod.ts';
import { isReady, isTerminating } from '../../pods/pod-conditions.ts';
import { conditionOf } from '../shared/conditions.ts';
import { controllerRef } from '../shared/controller-ref.ts';
import type { Condition } from '../shared/objects.ts';
import type { NewPod } from '../shared/pod-control.ts';
import type { ScaledTime } from '../shared/scaled-time.ts';
import { slowStart } from '../shared/slow-start.ts';
import { type Backoff, finishedAt, remainingMillis } from './backoff.ts';
import { isIndexed, isSuspended, type Job, type JobStatus, jobs, replacesFailedOnly } from './job.ts';
import { completionsReached, jobCondition, jobOutcome } from './job-outcome.ts';
import { allFailuresOf, newJobPod, podsToRemove } from './job-pods.ts';
import { desiredActive, type JobProgress, jobProgress, millisUntilDeadline, pendingIndexes } from './job-progress.ts';
import { countedStatus, trackedUids, withoutReleased } from './job-tracking.ts';

export interface JobClient {
  createPod(pod: NewPod): Promise<void>;
  deletePod(pod: Pod): Promise<void>;
  /** Lets a counted pod be deleted, or keeps a deleted one from being counted. */
  removeFinalizer(pod: Pod): Promise<void>;
  updateStatus(job: Job): Promise<Job>;
  event(type: 'Normal' | 'Warning', reason: string, message: string): void;
  isIgnored(error: unknown): boolean;
}

/** How many pods are created or deleted at most in one sync. */
const burst = 500;

export interface JobOutcome {
  /** When to sync it again, even without changes. */
  next: number | undefined;
  backoff: Backoff | undefined;
  failure: unknown;
}

export class JobSync {
  readonly #clock: ScaledTime;
  readonly #client: JobClient;
  readonly #pods: readonly Pod[];
  readonly #progress: JobProgress;
  #job: Job;
  /** The status on the server. */
  #stored: JobStatus | undefined;
  #active: number;
  #terminating: number;
  #ready: number;
  #next: number | undefined;

  constructor(job: Job, pods: readonly Pod[], backoff: Backoff | undefined, client: JobClient, clock: ScaledTime) {
    this.#clock = clock;
    this.#client = client;
    this.#pods = pods;
    this.#stored = job.status;
    const startTime = job.status?.startTime ?? (isSuspended(job) ? undefined : timeText(clock.now()));
    this.#job = { ...job, status: { ...job.status, ...(startTime ? { startTime } : {}) } };
    this.#progress = jobProgress(this.#job, pods, backoff);
    this.#active = this.#progress.active.length;
    this.#terminating = this.#progress.terminating;
    this.#ready = this.#progress.ready;
  }

  async run(): Promise<JobOutcome> {
    let outcome = jobOutcome(this.#job, this.#pods, this.#progress, this.#clock);
    let failure: unknown;
    try {
      if (outcome) await this.#delete(this.#progress.active, false);
      else {
        this.#wake(millisUntilDeadline(this.#job, this.#clock));
        if (!this.#job.metadata.deletionTimestamp) await this.#manage();
      }
    } catch (error) {
      failure = error;
      if (outcome) outcome = undefined;
    }
    if (!outcome && failure === undefined) outcome = this.#completed();
    if (!outcome) this.#noteSuspension();
    await this.#track(outcome);
    return { next: this.#next, backoff: this.#progress.backoff, failure };
  }

  #wake(millis: number | undefined): void {
    if (millis !== undefined) this.#next = Math.min(this.#next ?? Number.POSITIVE_INFINITY, millis);
  }

  async #delete(pods: readonly Pod[], isUncounted: boolean): Promise<void> {
    const outcomes = await Promise.allSettled(
      pods.map(async (pod) => {
        if (isUncounted) await this.#client.removeFinalizer(pod);
        await this.#client.deletePod(pod);
        this.#active -= 1;
        this.#terminating += 1;
        if (isReady(pod)) this.#ready -= 1;
      }),
    );
    const failed = outcomes.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /** Creates or deletes pods to reach the desired number of active ones. */
  async #manage(): Promise<void> {
    const { active } = this.#progress;
    if (isSuspended(this.#job)) {
      await this.#delete(active, true);
      return;
    }
    const desired = desiredActive(this.#job, this.#progress, this.#active);
    const removed = podsToRemove(this.#job, active, Math.max(0, this.#active - desired), this.#clock.now());
    if (removed.length > 0) {
      await this.#delete(removed.slice(0, burst), true);
      return;
    }
    const terminating = replacesFailedOnly(this.#job) ? this.#terminating : 0;
    const missing = Math.min(desired - terminating - this.#active, burst);
    if (missing > 0) await this.#create(missing);
  }

  async #create(missing: number): Promise<void> {
    const { backoff } = this.#progress;
    const isPerIndex = this.#job.spec.backoffLimitPerIndex !== undefined;
    const remaining = isPerIndex || !backoff ? 0 : remainingMillis(backoff, this.#clock);
    if (remaining > 0) {
      this.#wake(remaining);
      return;
    }
    const indexes: (number | undefined)[] = isIndexed(this.#job)
      ? this.#dueIndexes(missing, isPerIndex)
      : Array.from({ length: missing }, () => undefined);
    const ref = controllerRef(jobs, this.#job);
    await slowStart(indexes.length, async (at) => {
      const index = indexes[at];
      const replaced = index === undefined ? undefined : this.#progress.lastFailed.get(index);
      try {
        await this.#client.createPod(newJobPod(this.#job, ref, index, replaced));
        this.#active += 1;
      } catch (error) {
        if (!this.#client.isIgnored(error)) throw error;
      }
    });
  }

  /** With a limit per index, each index has its own backoff. */
  #dueIndexes(missing: number, isPerIndex: boolean): number[] {
    const terminating = replacesFailedOnly(this.#job) ? this.#pods.filter(isTerminating) : [];
    const pending = pendingIndexes(this.#job, this.#progress, terminating, missing);
    if (!isPerIndex) return pending;
    const waits = pending.map((index) => {
      const last = this.#progress.lastFailed.get(index);
      const backoff = last && { failures: allFailuresOf(last) + 1, last: finishedAt(last) };
      return { index, millis: backoff ? remainingMillis(backoff, this.#clock) : 0 };
    });
    const due = waits.filter(({ millis }) => millis === 0);
    if (due.length === 0 && waits.length > 0) this.#wake(Math.min(...waits.map(({ millis }) => millis)));
    return due.map(({ index }) => index);
  }

  #completed(): Condition | undefined {
    const { completions } = this.#job.spec;
    const { succeeded } = this.#progress;
    const isEnough = completions === undefined ? succeeded > 0 : succeeded >= completions;
    return isEnough && this.#active === 0 ? completionsReached(this.#clock) : undefined;
  }

  #noteSuspension(): void {
    if (this.#job.metadata.deletionTimestamp) return;
    const { status = {} } = this.#job;
    const known = conditionOf(status.conditions, 'Suspended');
    const isNow = isSuspended(this.#job);
    if ((known?.status === 'True') === isNow || (!known && !isNow)) return;
    const next = isNow
      ? jobCondition(this.#clock, 'Suspended', 'True', 'JobSuspended', 'Job suspended')
      : jobCondition(this.#clock, 'Suspended', 'False', 'JobResumed', 'Job resumed');
    const { startTime: _, ...rest } = status;
    this.#setStatus({
      ...rest,
      ...(isNow ? {} : { startTime: timeText(this.#clock.now()) }),
      conditions: known
        ? status.conditions!.map((one) => (one === known ? next : one))
        : [...(status.conditions ?? []), next],
    });
    if (isNow) this.#client.event('Normal', 'Suspended', 'Job suspended');
    else this.#client.event('Normal', 'Resumed', 'Job resumed');
  }

  #setStatus(status: JobStatus): void {
    this.#job = { ...this.#job, status };
  }

  /** Ended pods are recorded as uncounted, then released, then counted: none is lost or counted twice. */
  async #track(outcome: Condition | undefined): Promise<void> {
    const { active: _, ...before } = this.#job.status ?? {};
    const status: JobStatus = {
      ...before,
      ...(this.#active > 0 ? { active: this.#active } : {}),
      ready: this.#ready,
      terminating: this.#terminating,
    };
    const tracked = countedStatus(this.#job, status, this.#pods, this.#progress, outcome);
    let finished = outcome;
    const { conditions = [] } = tracked.status;
    const isTarget = outcome?.type === 'FailureTarget' || outcome?.type === 'SuccessCriteriaMet';
    if (outcome && isTarget) {
      if (!conditionOf(conditions, outcome.type)) tracked.status.conditions = [...conditions, outcome];
      const type = outcome.type === 'FailureTarget' ? 'Failed' : 'Complete';
      finished = jobCondition(this.#clock, type, 'True', outcome.reason ?? '', outcome.message ?? '');
    }
    await this.#flush(tracked.status);
    const { left, failure } = await this.#release(tracked.released);
    const counted = withoutReleased(this.#job.status ?? {}, left);
    const isOver = finished !== undefined && failure === undefined && !tracked.isCut && this.#terminating === 0;
    if (isOver) {
      counted.conditions = [...(counted.conditions ?? []), finished!];
      if (finished!.type === 'Complete') counted.completionTime = finished!.lastTransitionTime!;
    }
    await this.#flush(counted);
    if (failure !== undefined) throw failure;
    if (isOver) this.#recordFinished(finished!);
  }

  /** Returns the pods that are still to be counted. */
  async #release(pods: readonly Pod[]): Promise<{ left: Set<string>; failure: unknown }> {
    const left = trackedUids(this.#pods);
    let failure: unknown;
    await Promise.all(
      pods.map(async (pod) => {
        try {
          await this.#client.removeFinalizer(pod);
          left.delete(pod.metadata.uid!);
        } catch (error) {
          failure ??= error;
        }
      }),
    );
    return { left, failure };
  }

  async #flush(status: JobStatus): Promise<void> {
    if (isDeepStrictEqual(status, this.#stored)) return;
    this.#job = await this.#client.updateStatus({ ...this.#job, status });
    this.#stored = this.#job.status;
  }

  #recordFinished({ type, reason, message }: Condition): void {
    const { spec, status } = this.#job;
    if (type !== 'Complete') {
      this.#client.event('Warning', reason ?? '', message ?? '');
      return;
    }
    if (spec.completions !== undefined && (status?.succeeded ?? 0) > spec.completions) {
      const why = 'Too many succeeded pods running after completion count reached';
      this.#client.event('Warning', 'TooManySucceededPods', why);
    }
    this.#client.event('Normal', 'Completed', 'Job completed');
  }
}
