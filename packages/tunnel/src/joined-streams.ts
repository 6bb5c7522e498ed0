/** Connects two streams: bytes of each go to the other, with half-close, and both end together. */

import type { Duplex } from 'node:stream';

export function join(a: Duplex, b: Duplex): void {
  follow(a, b);
  follow(b, a);
  a.pipe(b);
  b.pipe(a);
}

function follow(one: Duplex, other: Duplex): void {
  // An error is followed by the close.
  one.on('error', () => {});
  one.once('close', () => {
    const wasWhole = one.readableEnded && !one.errored;
    // The last bytes are still being written to the other.
    if (wasWhole && other.writableEnded && !other.writableFinished) other.once('finish', () => other.destroy());
    else other.destroy(wasWhole ? undefined : (one.errored ?? new Error('the other stream was cut off')));
  });
}
