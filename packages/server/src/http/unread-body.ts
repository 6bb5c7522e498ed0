/** Limits what a client still sends of a body after its request was answered (LIMIT-1). */

import type { IncomingMessage, ServerResponse } from 'node:http';

/** Go's server reads as many bytes, so that the connection can be reused, and no more. */
const limits = { bytes: 256 * 1024, within: 5_000 };

/** HTTP/1.1 only: an HTTP/2 stream ends with its answer. */
export function boundUnreadBody(request: IncomingMessage, response: ServerResponse, { within } = limits): void {
  // Taken now: a request that ends with its connection has no socket any more.
  const { socket } = request;
  response.once('finish', () => {
    if (request.complete || socket.destroyed) return;
    const most = socket.bytesRead + limits.bytes;
    const latest = performance.now() + within;
    // Polled: Node discards these bytes without an event.
    const looking = setInterval(() => {
      if (socket.bytesRead > most || performance.now() > latest) socket.destroy();
    }, within / 20).unref();
    for (const over of ['end', 'close']) request.once(over, () => clearInterval(looking));
    request.resume();
  });
}

/**
 * Sends `Connection: close` if more of the body is left than will be read, as Go does: a client that reused the connection would lose
 * its next request.
 */
export function endWithUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  const isLong = encoding !== undefined || Number(length ?? 0) > limits.bytes;
  // The response's socket: the request's is gone if its reader has dropped it.
  const { socket } = response;
  if (request.complete || !isLong || !socket) return;
  response.shouldKeepAlive = false;
  const destroySoon = socket.destroySoon.bind(socket);
  // Node would close it with the answer. A client that is still writing would see it closed before it reads.
  socket.destroySoon = () => {
    if (request.complete) destroySoon();
    else request.once('end', destroySoon);
  };
}
