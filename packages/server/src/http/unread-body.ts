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

/**
 * Told with the answer where more is left than is read, as Go tells it: a client that took the connection for its next
 * request would lose that one.
 */
export function endWithUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  const isLong = encoding !== undefined || Number(length ?? 0) > limits.bytes;
  // Not the request's: it has none any more when whoever read it gave it up.
  const { socket } = response;
  if (request.complete || !isLong || !socket) return;
  response.shouldKeepAlive = false;
  const destroySoon = socket.destroySoon.bind(socket);
  // Node would end it with the answer; a client that still writes would find it closed before it reads.
  socket.destroySoon = () => {
    if (request.complete) destroySoon();
    else request.once('end', destroySoon);
  };
}
