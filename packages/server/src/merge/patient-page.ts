/**
 * One page of a member's list, read as slowly as its client reads. A member gives a request up after a minute, whether
 * anybody took what it sent or not; a page that breaks off after it was left lying is asked for again, just as it was, and
 * read on from where it broke (LIST-1).
 */

import { withIdleDeadline } from '@fleet/client/idle-deadline.ts';
import type { BytesReply } from '@fleet/client/upstream.ts';
import { type Items, type ListPart, splitList } from '@fleet/kube/list-splitter.ts';

/** A member that stops in the middle of a body, while we wait for it. */
const bodyDeadline = 60_000;
/** Left lying for longer than this, a page may have been given up for that alone. */
const longWait = 10_000;

export interface Page {
  reply: BytesReply;
  /** When its first bytes came. */
  came: number;
  /** The same page once more. Undefined where nothing says of which version it was; throws where that is gone. */
  again(version: string | undefined): Promise<BytesReply> | undefined;
}

export async function* patientParts({ reply, came, again }: Page): AsyncGenerator<ListPart, void, undefined> {
  const given = new Given();
  let { body } = reply;
  let leftLying = Date.now() - came;
  for (;;) {
    try {
      for await (const part of splitList(withIdleDeadline(body, bodyDeadline), body.memory)) {
        const fresh = given.freshOf(part);
        if (!fresh) continue;
        const gave = Date.now();
        yield fresh;
        leftLying = Math.max(leftLying, Date.now() - gave);
      }
      return;
    } catch (broken) {
      const renewed = leftLying < longWait ? undefined : again(given.version);
      if (!renewed) throw broken;
      ({ body } = await renewed);
      given.startAgain();
      leftLying = 0;
    }
  }
}

/** What of a page has been given away, so that nothing of it is given twice. */
class Given {
  version: string | undefined;
  private head = false;
  private items = 0;
  private seen = 0;

  startAgain(): void {
    this.seen = 0;
  }

  freshOf(part: ListPart): ListPart | undefined {
    if (part.is === 'items') {
      const old = Math.max(this.items - this.seen, 0);
      this.seen += part.items.length;
      this.items = Math.max(this.items, this.seen);
      if (old === 0) return part;
      const items: Items = part.items.slice(old);
      return items.length === 0 ? undefined : { is: 'items', items };
    }
    if (part.is === 'end' || !this.head) {
      this.version = part.envelope.metadata?.resourceVersion;
      this.head = true;
      return part;
    }
    if (part.envelope.metadata?.resourceVersion === this.version) return undefined;
    throw new Error('a page that was asked for again is not of the same version');
  }
}
