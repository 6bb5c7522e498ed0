/**
 * One page of a member's list, read as slowly as its client reads. A member ends a request after a minute, whether its
 * response was read or not. A page that breaks off after it was not read for a while is requested again at the same version, and
 * continued from the same position (LIST-1).
 */

import { withIdleDeadline } from '@fleet/client/idle-deadline.ts';
import type { BytesReply } from '@fleet/client/upstream.ts';
import { type Items, type ListPart, splitList } from '@fleet/kube/list-splitter.ts';

/** In milliseconds: how long a member may pause within a body while we read it. */
const bodyDeadline = 60_000;
/** In milliseconds: a page that was not read for longer may have been ended by the member for that reason. */
const longWait = 10_000;

export interface Page {
  reply: BytesReply;
  /** When its first bytes arrived. */
  came: number;
  /** Requests the same page again. Undefined if its version is unknown; throws if the version has expired. */
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

/** Which items of a page were passed on, so that none is passed on twice. */
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
    throw new Error('a page that was requested again has another version');
  }
}
