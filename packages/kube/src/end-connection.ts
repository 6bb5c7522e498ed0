/** Closes a connection so that both sides see its end. */

import type { Duplex } from 'node:stream';

/** In milliseconds: how long the other side has to close its half, once it has been sent everything. */
const closeTimeout = 5_000;

/** Delivers what was written, however slowly it is read, then closes the connection. The caller drops what still arrives. */
export function endConnection(transport: Duplex): void {
  const cutLate = (): void => {
    if (transport.destroyed) return;
    const late = setTimeout(() => transport.destroy(), closeTimeout);
    transport.once('close', () => clearTimeout(late));
  };
  transport.end();
  if (transport.writableFinished) cutLate();
  else transport.once('finish', cutLate);
  // The other side's end of stream comes after whatever it still sends.
  transport.resume();
}
