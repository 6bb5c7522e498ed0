/** A member's upstream for its users. When the credential changes, later requests use the new connections (CLU-4). */

import {
  type BytesReply,
  UnreachableError,
  type UpgradeReply,
  type Upstream,
  type UpstreamCall,
} from '@fleet/client/upstream.ts';

export class Handover implements Upstream {
  #current: Upstream;
  /** Streams of these upstreams were cut off on purpose, and are not sent again. */
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

  /** The chosen connections may be closed before the request is sent: such a request is sent again over the new ones. */
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
   * Requests in flight continue; the old connections close after them. A list between two pages continues, too.
   * `isCut`: the old connections were closed with everything on them.
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
