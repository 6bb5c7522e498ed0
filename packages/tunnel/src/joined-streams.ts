/** Two streams as one: what comes from the one goes to the other, with half-close, and neither outlives the other. */

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
    // Its last bytes are still on their way out of the other.
    if (wasWhole && other.writableEnded && !other.writableFinished) other.once('finish', () => other.destroy());
    else other.destroy(wasWhole ? undefined : (one.errored ?? new Error('the other side was cut off')));
  });
}
