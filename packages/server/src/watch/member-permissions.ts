/** Sends access reviews to members, for every watcher that joins an open feed (AUTHZ-2). */

import type { Permission } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import { lostIn } from './lost.ts';

/** The watcher's own identity, also if it shares the watch with others. */
export interface Asker {
  identity: string;
  /** `position`: the position of the open stream. */
  canWatch(cluster: ClusterName, position: string, signal: AbortSignal): Promise<Permission>;
}

interface Question {
  now: Promise<Permission>;
  next: Promise<Permission> | undefined;
}

/** In milliseconds: how long a new watch waits. Slower members are reviewed again while it is open. */
const patience = 1_000;

export class MemberPermissions {
  private readonly questions = new Map<string, Question>();
  private readonly signal: AbortSignal;

  /** `signal`: ends all reviews. Not a watcher's own, as others may wait for the same review. */
  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** Reviews all of them at once. Returns those that allowed it in time; throws if one refuses (RV-6). */
  async allAllowed(positions: ReadonlyMap<ClusterName, string>, asker: Asker): Promise<ReadonlySet<ClusterName>> {
    const allowed = new Set<ClusterName>();
    if (positions.size === 0) return allowed;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, patience);
    try {
      const asked = positions.entries().map(async ([cluster, position]) => {
        if (await this.isAllowed(cluster, position, asker)) allowed.add(cluster);
      });
      await Promise.race([Promise.all(asked), late.promise]);
    } finally {
      clearTimeout(timer);
    }
    return allowed;
  }

  /** False: the member did not answer. Throws if it refuses. */
  async isAllowed(cluster: ClusterName, position: string, asker: Asker): Promise<boolean> {
    const answer = await this.ask(cluster, position, asker);
    switch (answer.is) {
      case 'allowed':
      // A version that is too old or too new is only reported to users who are allowed to watch.
      case 'expired':
      case 'too-new':
        return true;
      case 'missing':
        return false;
      case 'absent':
        throw lostIn(cluster, 'it no longer serves the resource');
      case 'refused':
      case 'invalid':
        throw lostIn(cluster, answer.error);
      default:
        return answer satisfies never;
    }
  }

  /**
   * Watchers that arrive during a review share the next one: the current one may have been decided before a change that they
   * must see. So a thousand that arrive at once cost two reviews.
   */
  private ask(cluster: ClusterName, position: string, asker: Asker): Promise<Permission> {
    const key = JSON.stringify([cluster, asker.identity]);
    const question = this.questions.get(key);
    if (!question) return this.begin(key, cluster, position, asker);
    question.next ??= question.now.then(() => this.begin(key, cluster, position, asker));
    return question.next;
  }

  private begin(key: string, cluster: ClusterName, position: string, asker: Asker): Promise<Permission> {
    const now = answerOf(cluster, position, asker, this.signal);
    const question: Question = { now, next: undefined };
    this.questions.set(key, question);
    now.then(() => {
      if (!question.next) this.questions.delete(key);
    });
    return now;
  }
}

/** Never throws: a member whose connection is being replaced counts as unreachable, and the review is retried. */
async function answerOf(
  cluster: ClusterName,
  position: string,
  asker: Asker,
  signal: AbortSignal,
): Promise<Permission> {
  try {
    return await asker.canWatch(cluster, position, signal);
  } catch {
    return { is: 'missing', reason: 'cannot be reviewed' };
  }
}
