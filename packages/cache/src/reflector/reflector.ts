/**
 * Fills a feed from one resource of one member: lists it, watches it, resumes after a break, and lists anew only where the
 * member's history does not reach back or the member itself has gone back (CACHE-5).
 */

import { Backoff } from '@fleet/client/backoff.ts';
import { type Clock, machineClock, sleep } from '@fleet/client/clock.ts';
import { isStatus } from '@fleet/client/kube-client.ts';
import { Pace } from '@fleet/client/pace.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { watchBatches } from '@fleet/kube/watch-lines.ts';
import type { FeedWriter } from '../feed-writer.ts';
import { ColumnsChangedError, type Failure, failureOf } from './failure.ts';
import type { ListGate } from './list-gate.ts';
import { MemberRequests, type Wanted } from './member-requests.ts';
import { OpenStream } from './open-stream.ts';
import { readList } from './read-list.ts';
import { type ReflectorState, StateReport } from './reflector-state.ts';
import { SilenceCheck, WentBackError } from './silence-check.ts';
import { TimedBody } from './timed-body.ts';
import { readBatch } from './watch-events.ts';

export interface ReflectorOptions {
  member: string;
  /** With the product's own credential. */
  upstream: Upstream;
  /** As in `/apis/apps/v1/deployments` or `/api/v1/namespaces/web/pods`. */
  path: string;
  writer: FeedWriter;
  /** Shared by all reflectors of the process. */
  gate: ListGate;
  /** Rows of Tables, if nothing is said. */
  wanted?: Wanted;
  clock?: Clock;
  /** Pushed when the phase or the last error changes. */
  onState?(state: ReflectorState): void;
  /** A watch has ended, as it does where the member has changed what the resource is. */
  onEnd?(): void;
  /** Everything that went wrong, for the log. */
  onError?(error: unknown): void;
}

/** Members send bookmarks every minute: one that is silent for longer may be gone without a word. */
const silenceDeadline = 150_000;

/** In milliseconds. */
const doubtedFor = 10_000;

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
  /** The member has ended the last stream, as it does where a definition has changed. */
  private hasEnded = false;
  /** Since the last stream the member could not be reached: it may be starting. */
  private wasUnreachable = false;
  /** When it first refused the resource after that, or did not serve it. */
  private refusedAt: number | undefined;
  private form: 'row' | 'object' = 'row';
  /** Objects where the member has no Tables. */
  private wanted: Wanted;
  private cancelStream: ((reason: Error) => void) | undefined;
  private readonly running: Promise<void>;

  constructor(options: ReflectorOptions) {
    const { upstream, path, clock = machineClock, wanted = 'row' } = options;
    this.options = options;
    this.clock = clock;
    this.wanted = wanted;
    this.requests = new MemberRequests({ upstream, path, clock });
    this.report = new StateReport(clock, (state) => options.onState?.(state));
    this.backoff = new Backoff((millis, signal) => sleep(clock, millis, signal));
    this.running = this.run();
  }

  get state(): ReflectorState {
    return this.report.now;
  }

  /** CACHE-7: whether a read that wants the latest may be answered, as far as this stream is concerned. */
  isFresh(): boolean {
    const { lastEvent } = this.report;
    return lastEvent !== undefined && (this.stream?.isFresh(lastEvent) ?? false);
  }

  /** Tries again now: there is memory again, the member is back, or it serves the resource. */
  wake(): void {
    this.waking.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopping.abort(new Error('the reflector has ended'));
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    await using _check = new SilenceCheck({
      clock: this.clock,
      lastEvent: () => this.report.lastEvent,
      isOpen: () => this.stream !== undefined,
      reach: (signal) => this.requests.reach(this.options.writer.position ?? '0', signal),
      wentBack: () => this.cancelStream?.(new WentBackError()),
    });
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
    const { wanted = 'row' } = this.options;
    // Outside the gate: a member that does not answer takes nobody's turn.
    this.wanted = await this.listable(wanted);
    this.report.enter('filling');
    using slot = await gate.enter(member, signal);
    this.form = await readList({
      requests: this.requests,
      writer,
      clock: this.clock,
      wanted: this.wanted,
      wentBack: this.hasGoneBack,
      signal,
      progress: () => slot.progress(),
    });
    if (this.wanted === 'row') this.wanted = this.form;
    this.mustList = false;
    this.hasGoneBack = false;
    this.hasEnded = false;
    this.report.lastEvent = this.clock.now();
    this.report.enter('synced');
  }

  private async listable(wanted: Wanted): Promise<Wanted> {
    try {
      await this.requests.tryList(wanted, this.stopping.signal);
      return wanted;
    } catch (error) {
      if (wanted === 'object' || !isStatus(error, 406)) throw error;
      return 'object';
    }
  }

  /** Until the watch ends, which is no failure. */
  private async follow(): Promise<void> {
    const { writer } = this.options;
    const { signal } = this.stopping;
    const { body } = await this.requests.watch(this.wanted, writer.position!, signal);
    const timed = new TimedBody(body, { clock: this.clock, patience: silenceDeadline, signal });
    const stream = new OpenStream(timed, this.clock);
    this.cancelStream = (reason) => body.cancel(reason);
    this.stream = stream;
    this.wasUnreachable = false;
    this.refusedAt = undefined;
    this.report.enter('synced');
    if (this.hasEnded && this.form === 'row') void this.checkColumns();
    this.hasEnded = false;
    try {
      for await (const lines of watchBatches(stream.body, body.memory)) {
        this.take(lines);
        stream.hasBrought = true;
        if (this.pace.isDue) await this.pace.rest();
      }
      this.hasEnded = true;
    } finally {
      this.stream = undefined;
      this.cancelStream = undefined;
      body.cancel();
      if (!signal.aborted) this.options.onEnd?.();
    }
  }

  private take(lines: readonly Buffer[]): void {
    const { writer } = this.options;
    let hasOthers = false;
    for (let left = lines; left.length > 0; ) {
      const from = writer.position!;
      const { changes, position, columns, rest, end } = readBatch(left, from, this.form);
      if (columns && writer.columns(columns)) hasOthers = true;
      if (changes.length > 0 || position !== from) writer.apply(changes, position);
      if (end !== undefined) throw end;
      left = rest;
    }
    this.report.lastEvent = this.clock.now();
    // In front of the reset: a member whose columns change with each stream is listed less and less often.
    if (hasOthers) throw new ColumnsChangedError();
    this.backoff.reset();
  }

  /** Nothing may happen after the columns have changed, and the stream that told them has ended then (CACHE-13). */
  private async checkColumns(): Promise<void> {
    try {
      const columns = await this.requests.columns(this.stopping.signal);
      if (columns && this.stream && this.options.writer.columns(columns))
        this.cancelStream?.(new ColumnsChangedError());
    } catch {
      // Whatever is wrong with the member, the watch finds out.
    }
  }

  private failed(error: unknown): Failure {
    const failure = this.doubted(failureOf(error));
    this.mustList ||= failure.mustList;
    this.hasGoneBack ||= error instanceof WentBackError;
    if (failure.phase) this.report.enter(failure.phase, failure.reason);
    if (!failure.isExpected) this.options.onError?.(error);
    return failure;
  }

  /**
   * An API server that starts refuses what it grants, and lacks what it serves, until it has read both from its store. What was
   * filled is not dropped for that.
   */
  private doubted(failure: Failure): Failure {
    const { phase, pause: _, ...rest } = failure;
    this.wasUnreachable ||= phase === 'unreachable';
    const mayStart = this.wasUnreachable && this.options.writer.position !== undefined;
    if (!mayStart || (phase !== 'refused' && phase !== 'absent')) return failure;
    this.refusedAt ??= this.clock.now();
    return this.clock.now() - this.refusedAt < doubtedFor ? { ...rest, phase: 'unreachable' } : failure;
  }

  /** At least so long; for good where nothing but `wake` helps. */
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
