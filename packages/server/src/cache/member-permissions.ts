/**
 * What members allow users to read from the cache (IMP-3). Only a member's own yes counts, given to the user in an access
 * review. Whatever is not a yes goes to the member as the user's own request, so that a refusal is always the member's.
 */

import type { Clock } from '@fleet/client/clock.ts';
import type { Headers } from '@fleet/client/upstream.ts';
import type { Verb } from '@fleet/kube/request-info.ts';
import {
  type AccessQuestion,
  type Identity,
  identityOf,
  isSelective,
  keyOf,
  nameSelectedBy,
  widened,
} from './access-question.ts';
import type { Yes } from './cached-feed.ts';
import { type KeptYes, KeptYeses } from './kept-yeses.ts';
import { MemberReviews, type Outcome, unsettledFor } from './member-reviews.ts';
import { OpenWatches, type Renewal } from './open-watches.ts';
import type { RbacWatch } from './rbac-changes.ts';
import type { ReviewedMember } from './reviewed-member.ts';

export interface MemberPermissionsOptions {
  clock: Clock;
  /** As it is now; undefined where it is none any more. */
  memberOf(cluster: string): ReviewedMember | undefined;
  /** Yeses that are kept. */
  most?: number;
  /** A member was asked. */
  onReview?(outcome: Outcome['is']): void;
}

/** What one user wants to read; a list or watch of one name, selected by a field, is of that name. */
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
}

/** In milliseconds: a yes of RBAC whose objects are watched, any other, and the last one of an unreachable member. */
const [keptForLong, keptForShort, keptAsLast] = [300_000, 10_000, 86_400_000];

/** `unreachable`: and no yes of the past day counts. */
type Answer = { is: 'yes'; isOld: boolean } | { is: 'no' } | { is: 'unreachable' } | { is: 'unknown' };

export class MemberPermissions implements Disposable {
  private readonly options: MemberPermissionsOptions;
  private readonly yeses: KeptYeses;
  private readonly reviews: MemberReviews;
  private readonly watches: OpenWatches;
  private readonly followed = new Map<string, { rbac: RbacWatch; subscription: Disposable }>();

  constructor(options: MemberPermissionsOptions) {
    this.options = options;
    this.yeses = new KeptYeses(options.most ?? 20_000);
    this.reviews = new MemberReviews(options.clock, options.onReview);
    this.watches = new OpenWatches(options);
  }

  /** How many yeses are kept. */
  get kept(): number {
    return this.yeses.size;
  }

  /** `headers`: the impersonation headers that the member gets. */
  of(cluster: string, headers: Headers, { namespace = '', name = '', ...resource }: AskedResource) {
    const identity = identityOf(headers);
    const askedOf = (verb: Verb, { labelSelector, fieldSelector }: Selectors): Asked | undefined => {
      const named = { namespace, name: name || nameSelectedBy(fieldSelector) };
      return identity && { cluster, identity, question: { ...resource, ...named, verb, labelSelector, fieldSelector } };
    };
    return {
      /** Undefined for anything but a yes. Rejects when the signal aborts. */
      ask: async (verb: Verb, selectors: Selectors, signal: AbortSignal): Promise<Yes | undefined> => {
        const asked = askedOf(verb, selectors);
        return asked && this.ask(asked, signal);
      },
      /** Whether the member says no itself. Rejects when the signal aborts. */
      isRefused: async (verb: Verb, selectors: Selectors, signal: AbortSignal): Promise<boolean> => {
        const asked = askedOf(verb, selectors);
        return asked === undefined || (await this.decide(asked, signal)).is === 'no';
      },
    };
  }

  /** The member is gone for good. */
  forget(member: string): void {
    this.yeses.deleteMember(member);
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

  private async ask(asked: Asked, signal: AbortSignal): Promise<Yes | undefined> {
    const answer = await this.decide(asked, signal);
    return answer.is === 'yes' ? this.yesOf(asked, answer.isOld) : undefined;
  }

  private yesOf(asked: Asked, isOld: boolean): Yes {
    return {
      isOld,
      onLost: (lost) => {
        const member = this.options.memberOf(asked.cluster);
        const id = member?.id ?? '';
        const renew = () => this.renew(asked, id);
        return this.watches.hold(keyOf(id, asked.identity, asked.question), id, this.nextLook(asked), renew, lost);
      },
    };
  }

  private async renew(asked: Asked, id: string): Promise<Renewal> {
    if (this.options.memberOf(asked.cluster)?.id !== id) return { is: 'no' };
    const answer = this.known(asked) ?? (await this.answer(asked));
    if (answer.is === 'yes') return { is: 'yes', again: this.nextLook(asked) };
    return answer.is === 'unreachable' ? { is: 'no' } : answer;
  }

  /** When an open watch has to look at its yes again; 10 s at most, as the watch of RBAC objects may break. */
  private nextLook(asked: Asked): number {
    const { clock, memberOf } = this.options;
    const member = memberOf(asked.cluster);
    const yes = member && this.covering(member, asked);
    if (yes) return Math.min(Math.max(yes.at + this.lifeOf(member, yes) - clock.now(), 0), keptForShort);
    const settled = (member?.rbac?.lastChange ?? Number.NEGATIVE_INFINITY) + unsettledFor - clock.now();
    return settled > 0 ? settled : keptForShort;
  }

  /** A yes that is kept. */
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
        return outcome;
      default:
        return outcome satisfies never;
    }
  }

  private async review(member: ReviewedMember, asked: Asked): Promise<Outcome> {
    const outcome = await this.firstYes(member, asked);
    if (outcome.is !== 'no' || !isSelective(asked.question)) return outcome;
    // Selectors narrow what is asked for: some authorisers allow just that.
    return this.reviewOne(member, asked.identity, asked.question);
  }

  /** All of them at once. The first yes that covers the question decides; a wider one may be late. */
  private firstYes(member: ReviewedMember, { identity, question }: Asked): Promise<Outcome> {
    const [exact, ...wider] = widened(question).map((one) => this.reviewOne(member, identity, one));
    return new Promise((resolve) => {
      const covers = (outcome: Outcome) => outcome.is === 'yes' && outcome.grant !== undefined && !member.mayDeny;
      for (const one of wider) one.then((outcome) => covers(outcome) && resolve(outcome));
      // What the member says of the question itself is the last word, once the wider ones have been answered.
      exact!.then((outcome) =>
        outcome.is === 'yes' ? resolve(outcome) : Promise.all(wider).then(() => resolve(outcome)),
      );
    });
  }

  private async reviewOne(member: ReviewedMember, identity: Identity, question: AccessQuestion): Promise<Outcome> {
    const key = keyOf(member.id, identity, question);
    const outcome = await this.reviews.ask(key, member, identity, question);
    if (outcome.is === 'no') this.yeses.delete(key);
    // One that may have been decided by older rules is not kept, not even as the last.
    else if (outcome.is === 'yes' && !outcome.isOnce) {
      const grant = isSelective(question) ? undefined : outcome.grant;
      this.yeses.set(key, { member: member.id, at: outcome.at, grant });
    }
    return outcome;
  }

  /** A kept yes that answers the question. `isLast`: of a member that cannot be asked. */
  private covering(member: ReviewedMember, asked: Asked, isLast = false): KeptYes | undefined {
    const { identity, question } = asked;
    for (const one of isSelective(question) ? [...widened(question), question] : widened(question)) {
      const yes = this.yeses.get(keyOf(member.id, identity, one));
      if (!yes) continue;
      const isExact = one.namespace === question.namespace && one.name === question.name;
      if (!isExact && (yes.grant === undefined || member.mayDeny)) continue;
      const life = isLast ? keptAsLast : this.lifeOf(member, yes);
      if (this.options.clock.now() - yes.at < life) return yes;
    }
    return undefined;
  }

  private lifeOf({ rbac, mayDeny }: ReviewedMember, { grant }: KeptYes): number {
    return grant !== undefined && !mayDeny && rbac?.isHealthy() ? keptForLong : keptForShort;
  }

  /** Changes of its RBAC objects end the yeses that depend on them. */
  private follow({ id, rbac }: ReviewedMember): void {
    const followed = this.followed.get(id);
    if (followed?.rbac === rbac) return;
    followed?.subscription[Symbol.dispose]();
    this.followed.delete(id);
    // Nobody knows what has changed between two watches.
    this.yeses.deleteMember(id);
    if (!rbac) return;
    const subscription = rbac.subscribe({
      changed: (object) => {
        this.yeses.deleteBy(id, object);
        // Also those whose yes was not kept, as it came right after another change.
        this.watches.memberChanged(id);
      },
      anythingChanged: () => {
        this.yeses.deleteMember(id);
        this.watches.memberChanged(id);
      },
    });
    this.followed.set(id, { rbac, subscription });
  }
}

/** Others may wait for the same review: it goes on without this one. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const aborted = () => reject(signal.reason);
  signal.addEventListener('abort', aborted, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', aborted);
  }
}
