/** An upstream for whoever may use it only for a time, such as the leader of several processes. */

import type { Upstream, UpstreamCall } from './upstream.ts';

/** Until the signal aborts; from then on nothing is sent, and what is under way is broken off. Its owner disposes of the upstream. */
export function upstreamUntil(upstream: Upstream, signal: AbortSignal): Upstream {
  const limited = (call: UpstreamCall): UpstreamCall => {
    signal.throwIfAborted();
    return { ...call, signal: AbortSignal.any([call.signal, signal]) };
  };
  return {
    call: async (call) => upstream.call(limited(call)),
    upgrade: async (call) => upstream.upgrade(limited(call)),
    [Symbol.asyncDispose]: async () => {},
  };
}
