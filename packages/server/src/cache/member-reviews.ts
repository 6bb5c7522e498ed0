/** Access reviews on their way to members: those who ask the same share one, and a member has a few of them at a time (IMP-3). */

import { type Clock, deadlineOf } from '@fleet/client/clock.ts';
import { TooLargeError } from '@fleet/kube/growing-bytes.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { BusyError } from '../members/limited.ts';
import { RequestQueue } from '../members/request-queue.ts';
import { reviewAccess } from '../merge/member-review.ts';
import { type AccessQuestion, attributesOf, type Identity } from './access-question.ts';
import { type RbacGrant, readRbacReason } from './rbac-reason.ts';
import type { ReviewedMember } from './reviewed-member.ts';

export type Outcome =
  /** `isOnce`: the member may not have noticed the last change of its RBAC objects everywhere yet. */
  | { is: 'yes'; grant: RbacGrant | undefined; at: number; isOnce: boolean }
  | { is: 'no' }
  | { is: 'unreachable' }
  /** It has not answered the question. */
  | { is: 'unknown' };

interface Flight {
  now: Promise<Outcome>;
  next: Promise<Outcome> | undefined;
}

/** At a time to one member, and how many more wait. */
const [mostAtOnce, mostWaiting] = [16, 1_000];
/** In milliseconds. */
const deadline = 5_000;
/** Members may not have noticed a change of RBAC objects everywhere for so long. */
export const unsettledFor = 5_000;

export class MemberReviews {
  private readonly clock: Clock;
  private readonly onReview: (outcome: Outcome['is']) => void;
  private readonly flights = new Map<string, Flight>();
  private readonly queues = new Map<string, RequestQueue>();
  private readonly stopping = new AbortController();

  /** `onReview`: called with each that a member was asked for. */
  constructor(clock: Clock, onReview: (outcome: Outcome['is']) => void = () => {}) {
    this.clock = clock;
    this.onReview = onReview;
  }

  /**
   * Never rejects. A review that began before somebody asked may have been decided before a change that they must see: they
   * share its yes only if it is one that is kept; otherwise the next review, which all of them share.
   */
  ask(key: string, member: ReviewedMember, identity: Identity, question: AccessQuestion): Promise<Outcome> {
    const flight = this.flights.get(key);
    if (!flight) return this.begin(key, member, identity, question);
    return flight.now.then((outcome) => {
      if (outcome.is !== 'yes' || !outcome.isOnce) return outcome;
      flight.next ??= this.ask(key, member, identity, question);
      return flight.next;
    });
  }

  forget(member: string): void {
    this.queues.delete(member);
  }

  [Symbol.dispose](): void {
    this.stopping.abort(new Error('the server is ending'));
  }

  private begin(key: string, member: ReviewedMember, identity: Identity, question: AccessQuestion): Promise<Outcome> {
    const now = this.send(member, identity, question).finally(() => this.flights.delete(key));
    this.flights.set(key, { now, next: undefined });
    return now;
  }

  private async send(member: ReviewedMember, identity: Identity, question: AccessQuestion): Promise<Outcome> {
    using late = deadlineOf(this.clock, deadline, this.stopping.signal);
    // Turned away by ourselves: nothing is known of the member.
    const leave = await Promise.resolve(this.queueOf(member.id).enter(late.signal)).catch(() => undefined);
    if (!leave) return { is: 'unknown' };
    try {
      const outcome = await this.review(member, identity, question, late.signal);
      this.onReview(outcome.is);
      return outcome;
    } finally {
      leave();
    }
  }

  private async review(
    member: ReviewedMember,
    identity: Identity,
    question: AccessQuestion,
    signal: AbortSignal,
  ): Promise<Outcome> {
    try {
      const at = this.clock.now();
      const attributes = attributesOf(question);
      const { allowed, reason } = await reviewAccess(member.impersonator, identity.headers, attributes, signal);
      if (!allowed) return { is: 'no' };
      const { lastChange = Number.NEGATIVE_INFINITY } = member.rbac ?? {};
      const isOnce = this.clock.now() - lastChange < unsettledFor;
      return { is: 'yes', grant: readRbacReason(reason), at, isOnce };
    } catch (error) {
      return outcomeOf(error);
    }
  }

  private queueOf(member: string): RequestQueue {
    const queue =
      this.queues.get(member) ?? new RequestQueue({ places: mostAtOnce, waiting: mostWaiting, within: deadline });
    this.queues.set(member, queue);
    return queue;
  }
}

/** As in LIST-4: what answers 401 or 5xx counts as unreachable; one that is busy can be asked the request itself. */
function outcomeOf(error: unknown): Outcome {
  const isGarbage = error instanceof SyntaxError || error instanceof TooLargeError;
  if (isGarbage || error instanceof BusyError) return { is: 'unknown' };
  if (!(error instanceof StatusError)) return { is: 'unreachable' };
  // The user may not even ask.
  if (error.code === 403) return { is: 'no' };
  return { is: error.code === 401 || error.code >= 500 ? 'unreachable' : 'unknown' };
}
