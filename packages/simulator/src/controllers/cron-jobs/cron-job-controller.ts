/** The CronJob controller: creates Jobs when they are due, and cleans up their history. */

import { isDeepStrictEqual } from 'node:util';
import type { Informer } from '@fleet/client/informer.ts';
import { isNamespaceTerminating, isStatus } from '@fleet/client/kube-client.ts';
import { byController } from '@fleet/client/object-index.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import { isFinished, type Job, jobs } from '../jobs/job.ts';
import { conditionOf } from '../shared/conditions.ts';
import { controllerOf, listPath, pathOf } from '../shared/controller-ref.ts';
import { followOwned } from '../shared/owned-objects.ts';
import { messageOf } from '../shared/pod-control.ts';
import { type ControllerParts, Reconciler } from '../shared/reconciler.ts';
import { type CronJob, type CronJobStatus, cronJobs, millisUntilNext, newJob } from './cron-job.ts';
import { cronRun, type RecordEvent, scheduleOf } from './cron-run.ts';

const isComplete = ({ status }: Job): boolean => conditionOf(status?.conditions, 'Complete')?.status === 'True';

const byStart = (left: Job, right: Job): number => {
  // Jobs that have not started come last.
  const [leftTime, rightTime] = [left, right].map(({ status }) => status?.startTime ?? '~');
  if (leftTime !== rightTime) return leftTime! < rightTime! ? -1 : 1;
  return left.metadata.name < right.metadata.name ? -1 : 1;
};

/** The oldest finished Jobs in excess of the limit. */
export const excessJobs = (finished: readonly Job[], limit: number | undefined): Job[] =>
  limit === undefined ? [] : [...finished].sort(byStart).slice(0, Math.max(0, finished.length - limit));

export const startCronJobs = (parts: ControllerParts): AsyncDisposable => new CronJobController(parts).reconciler;

class CronJobController {
  readonly reconciler: Reconciler;
  readonly #known: Informer<CronJob>;
  readonly #jobs: Informer<Job>;

  constructor(parts: ControllerParts) {
    const component = 'cronjob-controller';
    this.reconciler = new Reconciler({ parts, component, reconcile: (key) => this.#reconcile(key) });
    this.#known = parts.informers.of<CronJob>(listPath(cronJobs));
    this.#jobs = parts.informers.of<Job>(listPath(jobs));
    this.#known.subscribe((key, now, old) => this.#changed(key, now, old));
    followOwned({
      owned: this.#jobs,
      owners: this.#known,
      kind: cronJobs.kind,
      selects: () => false,
      add: (key) => this.reconciler.add(key),
      onError: parts.onError,
    });
  }

  /** The schedule has changed: runs that it would have had before do not count. */
  #changed(key: string, now: CronJob | undefined, old: CronJob | undefined): void {
    const isOther = now && old && (now.spec.schedule !== old.spec.schedule || now.spec.timeZone !== old.spec.timeZone);
    if (!isOther) {
      this.reconciler.add(key);
      return;
    }
    const schedule = scheduleOf(now, (type, _, message) =>
      this.#recorderFor(now)(
        type,
        'UnParseableCronJobSchedule',
        message.replace('unparseable schedule', 'unparseable schedule for cronjob'),
      ),
    );
    const next = schedule && millisUntilNext(now, schedule, this.reconciler.parts.clock.now());
    if (next !== undefined) this.reconciler.addAfter(key, next);
  }

  #recorderFor(cronJob: CronJob): RecordEvent {
    const about = { ...cronJob, apiVersion: cronJobs.apiVersion, kind: cronJobs.kind };
    return (type, reason, message) => this.reconciler.events.event(about, type, reason, message);
  }

  async #reconcile(key: string): Promise<void> {
    const known = this.#known.get(key);
    if (!known) return;
    const { clock } = this.reconciler.parts;
    const record = this.#recorderFor(known);
    const owned = [...this.#jobs.index('controller', byController).get(known.metadata.uid!)];
    let cronJob = await this.#cleanUp(key, known, owned, record);
    cronJob = await this.#followJobs(cronJob, owned, record);
    let failure: unknown;
    try {
      const { start, next } = cronRun(cronJob, clock.now(), record);
      if (start !== undefined) cronJob = await this.#start(key, cronJob, start, record);
      else if (next !== undefined) this.reconciler.addAfter(key, next);
    } catch (error) {
      failure = error;
    }
    if (!isDeepStrictEqual(cronJob.status ?? {}, known.status ?? {})) await this.#writeStatus(key, cronJob);
    if (failure !== undefined) throw failure;
  }

  /** Deletes finished Jobs in excess of the history limits. */
  async #cleanUp(key: string, cronJob: CronJob, owned: readonly Job[], record: RecordEvent): Promise<CronJob> {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = cronJob.spec;
    const finished = owned.filter((job) => isFinished(job) && !job.metadata.deletionTimestamp);
    const excess = [
      ...excessJobs(finished.filter(isComplete), successfulJobsHistoryLimit),
      ...excessJobs(
        finished.filter((job) => !isComplete(job)),
        failedJobsHistoryLimit,
      ),
    ];
    let next = cronJob;
    for (const job of excess) next = await this.#deleteJob(key, next, job, record);
    return next;
  }

  async #deleteJob(key: string, cronJob: CronJob, job: Job, record: RecordEvent): Promise<CronJob> {
    const { client, signal } = this.reconciler.parts;
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' };
    try {
      await client.delete(pathOf(jobs, job.metadata, job.metadata.name), options, signal);
    } catch (error) {
      record('Warning', 'FailedDelete', `Deleted job: ${messageOf(error)}`);
      if (isStatus(error, 404)) return cronJob;
      throw error;
    }
    this.reconciler.expectations.deleted(key, this.#jobs, job);
    record('Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
    return withoutActive(cronJob, new Set([job.metadata.uid!]));
  }

  /** Updates the list of active Jobs, and the time of the last success. */
  async #followJobs(cronJob: CronJob, owned: readonly Job[], record: RecordEvent): Promise<CronJob> {
    let next = cronJob;
    const isActive = (uid: string): boolean => next.status?.active?.some((one) => one.uid === uid) ?? false;
    for (const job of owned) {
      const { name, uid } = job.metadata;
      if (!isFinished(job)) {
        if (!isActive(uid!)) {
          record('Warning', 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name}`);
        }
        continue;
      }
      if (isActive(uid!)) {
        const condition = isComplete(job) ? 'Complete' : 'Failed';
        record('Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${condition}`);
        next = withoutActive(next, new Set([uid!]));
      }
      const { completionTime } = job.status ?? {};
      if (isComplete(job) && completionTime && completionTime > (next.status?.lastSuccessfulTime ?? '')) {
        next = { ...next, status: { ...next.status, lastSuccessfulTime: completionTime } };
      }
    }
    const known = new Set(owned.map(({ metadata }) => metadata.uid));
    const missing = new Set<string>();
    for (const { name, uid } of next.status?.active ?? []) {
      if (known.has(uid) || (await this.#isThere(cronJob, name))) continue;
      record('Normal', 'MissingJob', `Active job went missing: ${name}`);
      missing.add(uid);
    }
    return missing.size > 0 ? withoutActive(next, missing) : next;
  }

  async #isThere({ metadata }: CronJob, name: string): Promise<boolean> {
    try {
      await this.reconciler.parts.client.get(pathOf(jobs, metadata, name), this.reconciler.parts.signal);
      return true;
    } catch (error) {
      if (isStatus(error, 404)) return false;
      throw error;
    }
  }

  async #start(key: string, cronJob: CronJob, time: number, record: RecordEvent): Promise<CronJob> {
    const { client, signal } = this.reconciler.parts;
    let next = cronJob;
    if (cronJob.spec.concurrencyPolicy === 'Replace') {
      for (const { name, uid } of cronJob.status?.active ?? []) {
        const job = this.#jobs.get(`${cronJob.metadata.namespace}/${name}`);
        if (job?.metadata.uid === uid) next = await this.#deleteJob(key, next, job, record);
      }
    }
    let job: Job;
    try {
      job = await client.create<Job>(pathOf(jobs, cronJob.metadata), newJob(cronJob, time), signal);
      this.reconciler.expectations.wrote(key, this.#jobs, job);
      record('Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`);
    } catch (error) {
      if (isNamespaceTerminating(error)) throw error;
      if (!isStatus(error, 409) || error.reason !== 'AlreadyExists') {
        record('Warning', 'FailedCreate', `Error creating job: ${messageOf(error)}`);
        throw error;
      }
      // It was created by an earlier sync that could not update the status.
      job = await client.get<Job>(pathOf(jobs, cronJob.metadata, newJob(cronJob, time).metadata.name), signal);
      if (controllerOf(job)?.uid !== cronJob.metadata.uid) return next;
    }
    const { name, namespace, uid, resourceVersion } = job.metadata;
    const reference = {
      apiVersion: jobs.apiVersion,
      kind: jobs.kind,
      name,
      namespace: namespace!,
      uid: uid!,
      resourceVersion: resourceVersion!,
    };
    const lastScheduleTime = timeText(time);
    return {
      ...next,
      status: { ...next.status, active: [...(next.status?.active ?? []), reference], lastScheduleTime },
    };
  }

  async #writeStatus(key: string, cronJob: CronJob): Promise<void> {
    const { client, signal } = this.reconciler.parts;
    const { apiVersion, kind } = cronJobs;
    const path = `${pathOf(cronJobs, cronJob.metadata, cronJob.metadata.name)}/status`;
    const written = await client.replace<CronJob>(path, { ...cronJob, apiVersion, kind }, signal);
    this.reconciler.expectations.wrote(key, this.#known, written);
  }
}

function withoutActive(cronJob: CronJob, uids: ReadonlySet<string>): CronJob {
  const { active = [], ...rest }: CronJobStatus = cronJob.status ?? {};
  const left = active.filter(({ uid }) => !uids.has(uid));
  return { ...cronJob, status: { ...rest, ...(left.length > 0 ? { active: left } : {}) } };
}
