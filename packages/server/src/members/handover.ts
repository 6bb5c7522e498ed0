/** A member's connections as others hold them: when its credential changes, what they ask next goes over the new ones (CLU-4). */

import {
  type BytesReply,
  UnreachableError,
  type UpgradeReply,
  type Upstream,
  type UpstreamCall,
} from '@fleet/client/upstream.ts';

export class Handover implements Upstream {
  #current: Upstream;
  /** What went over these ended on purpose: none of it is sent again. */
  readonly #cut = new WeakSet<Upstream>();

  constructor(first: Upstream) {
    this.#current = first;
  }

  call(call: UpstreamCall): Promise<BytesReply> {
    return this.#with((upstream) => upstream.call(call));
  }

  upgrade(call: UpstreamCall): Promise<UpgradeReply> {
    return this.#with((upstream) => upstream.upgrade(call));
  }

  /** The old connections may close between the choice of them and the request: one that was never sent is sent again. */
  async #with<Reply>(send: (upstream: Upstream) => Promise<Reply>): Promise<Reply> {
    const used = this.#current;
    try {
      return await send(used);
    } catch (error) {
      const wasClosed = used !== this.#current && error instanceof UnreachableError && !error.sent;
      if (wasClosed && !this.#cut.has(used)) return send(this.#current);
      throw error;
    }
  }

  /**
   * What is under way goes on; the old connections close behind it. A list that is between two pages goes on, too.
   * `isCut`: the old connections were ended with all that went over them.
   */
  to(next: Upstream, isCut = false): void {
    const old = this.#current;
    if (isCut) this.#cut.add(old);
    this.#current = next;
    Promise.resolve(old[Symbol.asyncDispose]()).catch(() => {});
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#current[Symbol.asyncDispose]();
  }
}
