/**
 * Fills a feed from one resource of one member, as a client-go reflector does: lists it, watches it, and resumes the watch after a break.
 * It lists again only if the watch cannot resume, or if the member was restored from a backup (CACHE-5).
 */

import { Backoff } from '@fleet/client/backoff.ts';
import { type Clock, machineClock, sleep } from '@fleet/client/clock.ts';
import { isStatus } from '@fleet/client/kube-client.ts';
import { Pace } from '@fleet/client/pace.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { watchBatches } from '@fleet/kube/watch-lines.ts';
import type { FeedWriter } from '../feed-writer.ts';
import { ColumnsCheck } from './columns-check.ts';
import { ColumnsChangedError, type Failure, failureOf } from './failure.ts';
import type { ListGate } from './list-gate.ts';
import { MemberRequests, type RequestedForm } from './member-requests.ts';
import { OpenStream } from './open-stream.ts';
import { readList } from './read-list.ts';
import { type ReflectorState, StateReport } from './reflector-state.ts';
import { probedFor, SilenceCheck, WentBackError } from './silence-check.ts';
import { SilentError, TimedBody } from './timed-body.ts';
import { readBatch } from './watch-events.ts';

export interface ReflectorOptions {
  member: string;
  /** With the product's own credential. */
  upstream: Upstream;
  /** Such as `/apis/apps/v1/deployments` or `/api/v1/namespaces/web/pods`. */
  path: string;
  writer: FeedWriter;
  /** Shared by all reflectors of the process. */
  gate: ListGate;
  /** Rows of Tables by default. */
  requestedForm?: RequestedForm;
  clock?: Clock;
  /** Pushed when the phase or the last error changes. */
  onState?(state: ReflectorState): void;
  /** A watch has ended. kube-apiserver ends it when a CustomResourceDefinition changes. */
  onEnd?(): void;
  /** Unexpected errors, for the log. */
  onError?(error: unknown): void;
}

/** In milliseconds. Most members send bookmarks every minute: after a longer silence the connection may be dead. */
const silenceDeadline = 150_000;

/** In milliseconds: how long 403 and 404 do not count after a member was unreachable, as it may still be starting. */
const startingFor = 10_000;

export class Reflector implements AsyncDisposable {
  private readonly options: ReflectorOptions;
  private readonly clock: Clock;
  private readonly requests: MemberRequests;
  private readonly report: StateReport;
  private readonly backoff: Backoff;
  private readonly pace = new Pace();
  private readonly stopping = new AbortController();
  private waking = new AbortController();
  private stream: OpenStream | undefined;
  /** The watch cannot resume. */
  private mustList = true;
  private hasGoneBack = false;
  /** A stream has ended since the columns were read: they may have changed. */
  private mustCheckColumns = false;
  /** The member was unreachable since the last stream: it may be starting. */
  private wasUnreachable = false;
  /** When it first answered 403 or 404 after that. */
  private refusedAt: number | undefined;
  private form: 'row' | 'object' = 'row';
  /** Objects where the member has no Tables. */
  private requestedForm: RequestedForm;
  private silence: SilenceCheck | undefined;
  /** A bookmark has come. There are none of resources without a watch cache: then silence means nothing. */
  private hasBookmarks = false;
  /** When a probe last showed that the member has reached the feed's position. */
  private reachedAt: number | undefined;
  private cancelStream: ((reason: Error) => void) | undefined;
  private readonly running: Promise<void>;

  constructor(options: ReflectorOptions) {
    const { upstream, path, clock = machineClock, requestedForm = 'row' } = options;
    this.options = options;
    this.clock = clock;
    this.requestedForm = requestedForm;
    this.requests = new MemberRequests({ upstream, path, clock });
    this.report = new StateReport(clock, (state) => options.onState?.(state));
    this.backoff = new Backoff((millis, signal) => sleep(clock, millis, signal));
    this.running = this.run();
  }

  get state(): ReflectorState {
    return this.report.now;
  }

  /** Whether the watch is up to date enough to answer a read of the latest state (CACHE-7). */
  isFresh(): boolean {
    const { lastEvent } = this.report;
    if (lastEvent === undefined) return false;
    const isKnownWell = !this.hasBookmarks && this.isReached();
    return this.stream?.isFresh(isKnownWell ? this.clock.now() : lastEvent) ?? false;
  }

  /** Ends the pause after a failure: there may be memory now. */
  wake(): void {
    this.waking.abort();
  }

  /** The member may have been restored from a backup: checks that now, instead of after a long silence (CACHE-5). */
  checkForRestore(): void {
    this.silence?.suspect();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopping.abort(new Error('the reflector has ended'));
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    await using check = new SilenceCheck({
      clock: this.clock,
      lastEvent: () => this.report.lastEvent,
      isOpen: () => this.stream !== undefined,
      reach: (signal) => this.requests.reach(this.options.writer.position ?? '0', signal),
      wentBack: () => this.cancelStream?.(new WentBackError()),
      onReached: () => {
        this.reachedAt = this.clock.now();
      },
    });
    this.silence = check;
    while (!signal.aborted) {
      let failure: Failure | undefined;
      try {
        if (this.mustList || this.options.writer.position === undefined) await this.fill();
        await this.follow();
      } catch (error) {
        if (signal.aborted) return;
        failure = this.failed(error);
      }
      await this.pause(failure?.pause);
    }
  }

  private async fill(): Promise<void> {
    const { member, gate, writer } = this.options;
    const { signal } = this.stopping;
    const { requestedForm = 'row' } = this.options;
    // Before the gate: an unreachable member must not take one of its slots.
    this.requestedForm = await this.listable(requestedForm);
    this.report.enter('filling');
    using slot = await gate.enter(member, signal);
    this.form = await readList({
      requests: this.requests,
      writer,
      clock: this.clock,
      requestedForm: this.requestedForm,
      wentBack: this.hasGoneBack,
      signal,
      progress: () => slot.progress(),
    });
    if (this.requestedForm === 'row') this.requestedForm = this.form;
    this.mustList = false;
    this.hasGoneBack = false;
    this.mustCheckColumns = false;
    this.report.lastEvent = this.clock.now();
    this.report.enter('synced');
  }

  private async listable(requestedForm: RequestedForm): Promise<RequestedForm> {
    try {
      await this.requests.tryList(requestedForm, this.stopping.signal);
      return requestedForm;
    } catch (error) {
      if (requestedForm === 'object' || !isStatus(error, 406)) throw error;
      return 'object';
    }
  }

  /** Watches until the member ends the stream, which is no failure. */
  private async follow(): Promise<void> {
    const { writer } = this.options;
    const { signal } = this.stopping;
    const { body } = await this.requests.watch(this.requestedForm, writer.position!, signal);
    const timed = new TimedBody(body, { clock: this.clock, idleTimeout: silenceDeadline, signal });
    const stream = new OpenStream(timed, this.clock);
    this.cancelStream = (reason) => body.cancel(reason);
    this.stream = stream;
    this.wasUnreachable = false;
    this.refusedAt = undefined;
    this.report.enter('synced');
    await using _check = this.mustCheckColumns && this.form === 'row' ? this.checkColumns() : undefined;
    try {
      for await (const lines of watchBatches(stream.body, body.memory)) {
        this.applyLines(lines);
        stream.hasBrought = true;
        if (this.pace.isDue) await this.pace.rest();
      }
    } catch (error) {
      if (!(error instanceof SilentError) || !this.isReached()) throw error;
      // The member is well. Its watch is opened anew all the same: the connection may be dead.
      this.backoff.reset();
    } finally {
      this.mustCheckColumns = true;
      this.stream = undefined;
      this.cancelStream = undefined;
      body.cancel();
      if (!signal.aborted) this.options.onEnd?.();
    }
  }

  private isReached(): boolean {
    return this.reachedAt !== undefined && this.clock.now() - this.reachedAt < probedFor;
  }

  private applyLines(lines: readonly Buffer[]): void {
    const { writer } = this.options;
    let haveColumnsChanged = false;
    for (let left = lines; left.length > 0; ) {
      const from = writer.position!;
      const { changes, position, columns, rest, end } = readBatch(left, from, this.form);
      if (columns && writer.columns(columns)) haveColumnsChanged = true;
      if (changes.length === 0 && position !== from) this.hasBookmarks = true;
      if (changes.length > 0 || position !== from) writer.apply(changes, position);
      if (end !== undefined) throw end;
      left = rest;
    }
    this.report.lastEvent = this.clock.now();
    // Before the backoff is reset: a member whose columns change with each stream is then listed less and less often.
    if (haveColumnsChanged) throw new ColumnsChangedError();
    this.backoff.reset();
  }

  /** For the open stream: ends it if the columns have changed. */
  private checkColumns(): ColumnsCheck {
    return new ColumnsCheck({
      clock: this.clock,
      read: (signal) => this.requests.columns(signal),
      onColumns: ({ columns, row }) => {
        this.mustCheckColumns = false;
        const { writer } = this.options;
        if (!columns || !(writer.columns(columns) || (row && writer.hasOtherCells?.(row)))) return;
        // Not left to the error: the stream may have ended in this moment.
        this.mustList = true;
        this.cancelStream?.(new ColumnsChangedError());
      },
    });
  }

  private failed(error: unknown): Failure {
    const failure = this.unlessStarting(failureOf(error));
    this.mustList ||= failure.mustList;
    this.hasGoneBack ||= error instanceof WentBackError;
    if (failure.phase) this.report.enter(failure.phase, failure.reason);
    if (!failure.isExpected) this.options.onError?.(error);
    return failure;
  }

  /**
   * While kube-apiserver starts, it answers 403 or 404 until it has read its RBAC objects and definitions. What is cached is not dropped
   * for that: for a while such a member counts as unreachable.
   */
  private unlessStarting(failure: Failure): Failure {
    const { phase, pause: _, ...rest } = failure;
    this.wasUnreachable ||= phase === 'unreachable';
    const isStarting = this.wasUnreachable && this.options.writer.position !== undefined;
    if (!isStarting || (phase !== 'refused' && phase !== 'absent')) return failure;
    this.refusedAt ??= this.clock.now();
    return this.clock.now() - this.refusedAt < startingFor ? { ...rest, phase: 'unreachable' } : failure;
  }

  /** Waits for `atLeast` milliseconds, then for the backoff; `wake` ends both early. */
  private async pause(atLeast: number | undefined): Promise<void> {
    this.waking = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, this.waking.signal]);
    try {
      if (atLeast !== undefined) await sleep(this.clock, atLeast, signal);
      await this.backoff.wait(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
