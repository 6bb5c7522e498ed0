/** What a client still sends of a body that nobody wants: its request has had its answer (LIMIT-1). */

import type { IncomingMessage, ServerResponse } from 'node:http';

/** Go's server reads on for as many bytes, so that the connection can be used again, and no longer. */
const limits = { bytes: 256 * 1024, within: 5_000 };

/** HTTP/1.1 only: on HTTP/2 a stream ends with its answer. */
export function boundUnreadBody(request: IncomingMessage, response: ServerResponse, { within } = limits): void {
  // Taken now: a request that ends with its connection has none any more.
  const { socket } = request;
  response.once('finish', () => {
    if (request.complete || socket.destroyed) return;
    const most = socket.bytesRead + limits.bytes;
    const latest = performance.now() + within;
    // Looked at from time to time: Node throws these bytes away without an event.
    const looking = setInterval(() => {
      if (socket.bytesRead > most || performance.now() > latest) socket.destroy();
    }, within / 20).unref();
    for (const over of ['end', 'close']) request.once(over, () => clearInterval(looking));
    request.resume();
  });
}
