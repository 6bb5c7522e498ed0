/** Sends access reviews to members: equal ones in flight are shared, and the number per member is limited (IMP-3). */

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
  /** `isOnce`: valid for this request only, as not all of the member's API servers may have seen the last RBAC change. */
  | { is: 'yes'; grant: RbacGrant | undefined; at: number; isOnce: boolean }
  | { is: 'no' }
  | { is: 'unreachable' }
  /** There was no usable answer. */
  | { is: 'unknown' }
  /** The member was not asked, or too late to answer: our own queue was full. Proves nothing about the member. */
  | { is: 'busy' };

interface Flight {
  now: Promise<Outcome>;
  next: Promise<Outcome> | undefined;
}

/** Per member: reviews in flight, and reviews that wait. */
const [mostAtOnce, mostWaiting] = [16, 1_000];
/** In milliseconds. */
const deadline = 5_000;
/** In milliseconds. With less time to answer, a member does not count as unreachable: the deadline was spent in our own queue. */
const leastTimeout = deadline / 2;
/** In milliseconds: how long a member's API servers may take to see a change of RBAC objects. */
export const unsettledFor = 5_000;

export class MemberReviews {
  private readonly clock: Clock;
  private readonly onReview: (outcome: Outcome['is']) => void;
  private readonly flights = new Map<string, Flight>();
  private readonly queues = new Map<string, RequestQueue>();
  private readonly stopping = new AbortController();

  /** `onReview`: called with the outcome of each review that was sent. */
  constructor(clock: Clock, onReview: (outcome: Outcome['is']) => void = () => {}) {
    this.clock = clock;
    this.onReview = onReview;
  }

  /**
   * Never rejects. `isRenewal`: of an open watch, ahead of those of new requests. A review in flight may have been decided before an RBAC change that this caller must see. So its yes is shared only
   * if it may be kept (not `isOnce`); otherwise all callers that came meanwhile share the next review.
   */
  ask(
    key: string,
    member: ReviewedMember,
    identity: Identity,
    question: AccessQuestion,
    isRenewal = false,
  ): Promise<Outcome> {
    const flight = this.flights.get(key);
    if (!flight) {
      const now = this.send(member, identity, question, isRenewal).finally(() => this.flights.delete(key));
      this.flights.set(key, { now, next: undefined });
      return now;
    }
    return flight.now.then((outcome) => {
      if (outcome.is !== 'yes' || !outcome.isOnce) return outcome;
      flight.next ??= this.ask(key, member, identity, question, isRenewal);
      return flight.next;
    });
  }

  forget(member: string): void {
    this.queues.delete(member);
  }

  [Symbol.dispose](): void {
    this.stopping.abort(new Error('the server is ending'));
  }

  private async send(
    member: ReviewedMember,
    identity: Identity,
    question: AccessQuestion,
    isFirst: boolean,
  ): Promise<Outcome> {
    using late = deadlineOf(this.clock, deadline, this.stopping.signal);
    // By name: a user with many tokens or groups is one.
    const of = String(identity.headers['impersonate-user']);
    const entered = this.queueOf(member.id).enter(late.signal, { of, isFirst });
    const leave = await Promise.resolve(entered).catch(() => undefined);
    if (!leave) return { is: 'busy' };
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
    const at = this.clock.now();
    try {
      const attributes = attributesOf(question);
      const { allowed, reason } = await reviewAccess(member.impersonator, identity.headers, attributes, signal);
      if (!allowed) return { is: 'no' };
      const { lastChange = Number.NEGATIVE_INFINITY } = member.rbac ?? {};
      const isOnce = this.clock.now() - lastChange < unsettledFor;
      return { is: 'yes', grant: ownGrant(member, reason), at, isOnce };
    } catch (error) {
      return signal.aborted && this.clock.now() - at < leastTimeout ? { is: 'busy' } : outcomeOf(error);
    }
  }

  private queueOf(member: string): RequestQueue {
    const queue =
      this.queues.get(member) ?? new RequestQueue({ places: mostAtOnce, waiting: mostWaiting, within: deadline });
    this.queues.set(member, queue);
    return queue;
  }
}

/**
 * The binding and role of the member that allowed it. An authoriser of another cluster, which the member asks by webhook, may give the
 * same reason: its RBAC objects are not watched.
 */
function ownGrant({ rbac }: ReviewedMember, reason: string): RbacGrant | undefined {
  const grant = readRbacReason(reason);
  return grant && rbac?.has(grant.binding) && rbac.has(grant.role) ? grant : undefined;
}

/** As in LIST-4: 401 and 5xx count as unreachable. After the member's 429 the outcome is unknown, and the request itself is tried. */
function outcomeOf(error: unknown): Outcome {
  if (error instanceof BusyError) return { is: 'busy' };
  if (error instanceof SyntaxError || error instanceof TooLargeError) return { is: 'unknown' };
  if (!(error instanceof StatusError)) return { is: 'unreachable' };
  // The user is not even allowed to create access reviews.
  if (error.code === 403) return { is: 'no' };
  return { is: error.code === 401 || error.code >= 500 ? 'unreachable' : 'unknown' };
}
