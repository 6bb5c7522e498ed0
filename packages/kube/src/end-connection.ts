/** The end of a connection that both sides close. */

import type { Duplex } from 'node:stream';

/** In milliseconds: for the other side to close its half, once it has been sent everything. */
const patience = 5_000;

/** What was written is delivered, however slowly it is read; then the connection is gone. What still comes is the caller's to drop. */
export function endConnection(transport: Duplex): void {
  const cutLate = (): void => {
    if (transport.destroyed) return;
    const late = setTimeout(() => transport.destroy(), patience);
    transport.once('close', () => clearTimeout(late));
  };
  transport.end();
  if (transport.writableFinished) cutLate();
  else transport.once('finish', cutLate);
  // Its end is behind whatever it still sends.
  transport.resume();
}
