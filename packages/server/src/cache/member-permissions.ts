/**
 * Decides whether a user is allowed to read from the cache (IMP-3). Only an access review that the member itself allowed counts.
 * Otherwise the request goes to the member as the user, so that a refusal is always the member's own.
 */

import type { Clock } from '@fleet/client/clock.ts';
import type { Headers } from '@fleet/client/upstream.ts';
import type { Verb } from '@fleet/kube/request-info.ts';
import {
  type AccessQuestion,
  type Identity,
  identityOf,
  isSelective,
  nameSelectedBy,
  reviewKeyOf,
  widened,
  widestFirst,
} from './access-question.ts';
import type { Yes } from './cached-feed.ts';
import { type KeptDecision, KeptDecisions } from './kept-decisions.ts';
import { MemberReviews, type Outcome, unsettledFor } from './member-reviews.ts';
import { OpenWatches, type Renewal } from './open-watches.ts';
import type { RbacWatch } from './rbac-changes.ts';
import type { ReviewedMember } from './reviewed-member.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface MemberPermissionsOptions {
  clock: Clock;
  /** The current member; undefined if it was removed. */
  memberOf(cluster: string): ReviewedMember | undefined;
  /** The maximum number of allowed reviews to keep. */
  most?: number;
  /** A review was sent to a member. */
  onReview?(outcome: Outcome['is']): void;
}

/** What a user wants to read. A list or watch whose field selector requires a name is reviewed with that name. */
export interface AskedResource {
  group: string;
  version: string;
  resource: string;
  namespace?: string | undefined;
  name?: string | undefined;
}

interface Selectors {
  labelSelector: string;
  fieldSelector: string;
}

interface Asked {
  cluster: string;
  identity: Identity;
  question: AccessQuestion;
  /** For a watch that is open. */
  isRenewal?: boolean;
}

/** The RBAC objects of a member, as they are watched now. */
interface Followed {
  rbac: RbacWatch;
  subscription: Disposable;
  /** How many there have been since. */
  changes: number;
}

/** In milliseconds, how long an allowed review counts: by watched RBAC; by another authoriser; while the member is unreachable. */
const [keptForLong, keptForShort, keptAsLast] = [300_000, 10_000, 86_400_000];

/** `unreachable`: the member is unreachable, and did not allow it within the past day. */
type Answer =
  | { is: 'yes'; isOld: boolean }
  | { is: 'no' }
  | { is: 'unreachable' }
  | { is: 'unknown' }
  /** The member was not asked: our own queue was full. */
  | { is: 'busy' };

export class MemberPermissions implements Disposable {
  private readonly options: MemberPermissionsOptions;
  private readonly decisions: KeptDecisions;
  private readonly reviews: MemberReviews;
  private readonly watches: OpenWatches;
  private readonly followed = new Map<string, Followed>();

  constructor(options: MemberPermissionsOptions) {
    this.options = options;
    this.decisions = new KeptDecisions(options.most ?? 20_000);
    this.reviews = new MemberReviews(options.clock, options.onReview);
    this.watches = new OpenWatches(options);
  }

  /** How many allowed reviews are kept. */
  get kept(): number {
    return this.decisions.size;
  }

  /** `headers`: the impersonation headers that the member gets. */
  of(cluster: string, headers: Headers, { namespace = '', name = '', ...resource }: AskedResource) {
    const identity = identityOf(headers);
    const askedOf = (verb: Verb, { labelSelector, fieldSelector }: Selectors): Asked | undefined => {
      const named = { namespace, name: name || nameSelectedBy(fieldSelector) };
      return identity && { cluster, identity, question: { ...resource, ...named, verb, labelSelector, fieldSelector } };
    };
    return {
      /** Undefined unless the member allows it: `refused` is called if it denies it. Rejects when the signal aborts. */
      ask: async (verb: Verb, selectors: Selectors, signal: AbortSignal, refused?: () => void) => {
        const asked = askedOf(verb, selectors);
        if (asked) return this.ask(asked, signal, refused);
        refused?.();
        return undefined;
      },
    };
  }

  /** The member was removed. */
  forget(member: string): void {
    this.decisions.deleteMember(member);
    this.reviews.forget(member);
    this.followed.get(member)?.subscription[Symbol.dispose]();
    this.followed.delete(member);
    this.watches.memberChanged(member);
  }

  [Symbol.dispose](): void {
    for (const { subscription } of this.followed.values()) subscription[Symbol.dispose]();
    this.watches[Symbol.dispose]();
    this.reviews[Symbol.dispose]();
  }

  private async decide(asked: Asked, signal: AbortSignal): Promise<Answer> {
    return this.known(asked) ?? unlessAborted(this.answer(asked), signal);
  }

  private async ask(asked: Asked, signal: AbortSignal, refused?: () => void): Promise<Yes | undefined> {
    const member = this.options.memberOf(asked.cluster);
    if (member) this.follow(member);
    const isUnchanged = this.changesOf(asked.cluster, member?.id);
    const answer = await this.decide(asked, signal);
    if (answer.is === 'no') refused?.();
    return answer.is === 'yes' ? this.yesOf(asked, member?.id ?? '', answer.isOld, isUnchanged) : undefined;
  }

  /** `isUnchanged`: since it was asked. What was changed before there is a watch to end is checked as soon as there is one. */
  private yesOf(asked: Asked, id: string, isOld: boolean, isUnchanged: () => boolean): Yes {
    return {
      isOld,
      onLost: (lost) => {
        const key = reviewKeyOf(id, asked.identity, asked.question);
        const again = isUnchanged() ? this.nextCheck(asked) : 0;
        return this.watches.hold(key, id, again, () => this.renew(asked, id), lost);
      },
    };
  }

  /** Returns whether the member is still the same, and its RBAC objects are. */
  private changesOf(cluster: string, id = ''): () => boolean {
    const followed = this.followed.get(id);
    const changes = followed?.changes;
    return () => {
      const now = this.followed.get(id);
      return this.options.memberOf(cluster)?.id === id && now === followed && now?.changes === changes;
    };
  }

  private async renew(asked: Asked, id: string): Promise<Renewal> {
    if (this.options.memberOf(asked.cluster)?.id !== id) return { is: 'no' };
    const answer = this.known(asked) ?? (await this.answer({ ...asked, isRenewal: true }));
    if (answer.is === 'yes') return { is: 'yes', again: this.nextCheck(asked) };
    return answer.is === 'unreachable' ? { is: 'no' } : answer;
  }

  /** In milliseconds until an open watch has to repeat its review: 10 s at most, as the watch of RBAC objects may break. */
  private nextCheck(asked: Asked): number {
    const { clock, memberOf } = this.options;
    const member = memberOf(asked.cluster);
    const yes = member && this.covering(member, asked);
    if (yes) return Math.min(Math.max(yes.at + this.lifetimeOf(member, yes) - clock.now(), 0), keptForShort);
    const settled = (member?.rbac?.lastChange ?? Number.NEGATIVE_INFINITY) + unsettledFor - clock.now();
    return settled > 0 ? settled : keptForShort;
  }

  /** Allowed by a cached review. */
  private known(asked: Asked): Answer | undefined {
    const member = this.options.memberOf(asked.cluster);
    if (!member) return { is: 'no' };
    this.follow(member);
    return this.covering(member, asked) ? { is: 'yes', isOld: false } : undefined;
  }

  private async answer(asked: Asked): Promise<Answer> {
    const member = this.options.memberOf(asked.cluster);
    if (!member) return { is: 'no' };
    const outcome = member.ready ? await this.review(member, asked) : ({ is: 'unreachable' } as const);
    switch (outcome.is) {
      case 'yes':
        return { is: 'yes', isOld: false };
      case 'unreachable':
        return this.covering(member, asked, true) ? { is: 'yes', isOld: true } : outcome;
      case 'no':
      case 'unknown':
      case 'busy':
        return outcome;
      default:
        return outcome satisfies never;
    }
  }

  private async review(member: ReviewedMember, asked: Asked): Promise<Outcome> {
    const outcome = await this.firstYes(member, asked);
    if (outcome.is !== 'no' || !isSelective(asked.question)) return outcome;
    // Some authorisers allow a request only with its selectors.
    return this.reviewOne(member, asked, asked.question);
  }

  /** Sends the exact and the wider reviews in parallel. The first allowed one that covers the request decides. */
  private firstYes(member: ReviewedMember, asked: Asked): Promise<Outcome> {
    const [exact, ...wider] = widened(asked.question).map((one) => this.reviewOne(member, asked, one));
    return new Promise((resolve) => {
      const covers = (outcome: Outcome) => outcome.is === 'yes' && outcome.grant !== undefined && !member.canDeny;
      for (const one of wider) one.then((outcome) => covers(outcome) && resolve(outcome));
      // If the exact review is not allowed, a wider one may still be: wait for all before answering.
      exact!.then((outcome) =>
        outcome.is === 'yes' ? resolve(outcome) : Promise.all(wider).then(() => resolve(outcome)),
      );
    });
  }

  private async reviewOne(
    member: ReviewedMember,
    { identity, isRenewal }: Asked,
    question: AccessQuestion,
  ): Promise<Outcome> {
    const key = reviewKeyOf(member.id, identity, question);
    const outcome = await this.reviews.ask(key, member, identity, question, isRenewal);
    const rbacKey = reviewKeyOf(member.id, { key: identity.rbacKey }, question);
    if (outcome.is === 'no') for (const one of [key, rbacKey]) this.decisions.delete(one);
    // A review that may rest on outdated RBAC objects is not kept, not even for the time when the member is unreachable.
    else if (outcome.is === 'yes' && !outcome.isOnce) {
      const grant = isSelective(question) ? undefined : outcome.grant;
      this.decisions.set(grant && !member.canDeny ? rbacKey : key, { member: member.id, at: outcome.at, grant });
    }
    return outcome;
  }

  /** A kept, allowed review that covers the request. `isLast`: the member is unreachable, so an older one counts too. */
  private covering(member: ReviewedMember, asked: Asked, isLast = false): KeptDecision | undefined {
    const { identity, question } = asked;
    const keys = member.canDeny ? [identity.key] : [identity.rbacKey, identity.key];
    const kept = (one: AccessQuestion): KeptDecision | undefined =>
      keys
        .map((key) => this.decisions.get(reviewKeyOf(member.id, { key }, one)))
        .find((yes) => yes && counts(one, yes));
    const counts = (one: AccessQuestion, yes: KeptDecision): boolean => {
      const isExact = one.namespace === question.namespace && one.name === question.name;
      if (!isExact && (yes.grant === undefined || member.canDeny)) return false;
      return this.options.clock.now() - yes.at < (isLast ? keptAsLast : this.lifetimeOf(member, yes));
    };
    // Most users who read much are allowed to read all of it.
    for (const one of widestFirst(question)) {
      const yes = kept(one);
      if (yes) return yes;
    }
    return isSelective(question) ? kept(question) : undefined;
  }

  private lifetimeOf({ rbac, canDeny }: ReviewedMember, { grant, at }: KeptDecision): number {
    if (grant === undefined || canDeny || !rbac?.isHealthy()) return keptForShort;
    // A review that was in flight when the watch began may rest on older RBAC objects than the watch's first list has.
    return at - rbac.knownSince < unsettledFor ? keptForShort : keptForLong;
  }

  /** Subscribes to changes of the member's RBAC objects, which delete the decisions that depend on them. */
  private follow({ id, rbac }: ReviewedMember): void {
    const followed = this.followed.get(id);
    if (followed?.rbac === rbac) return;
    followed?.subscription[Symbol.dispose]();
    this.followed.delete(id);
    // Changes between two subscriptions are unknown.
    this.decisions.deleteMember(id);
    if (!rbac) return;
    const changed = () => {
      now.changes++;
      this.watches.memberChanged(id);
    };
    const subscription = rbac.subscribe({
      changed: (object) => {
        this.decisions.deleteBy(id, object);
        // All watches, as some rest on a review that was not kept because it came right after another change.
        changed();
      },
      anythingChanged: () => {
        this.decisions.deleteMember(id);
        changed();
      },
    });
    const now: Followed = { rbac, subscription, changes: 0 };
    this.followed.set(id, now);
  }
}
