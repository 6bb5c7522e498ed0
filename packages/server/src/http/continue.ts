/** Sends `100 Continue` to clients that wait for it before they send a body (RFC 9110, 10.1.1). */

import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';

/**
 * Only when the previous answer on the connection is complete: otherwise Node writes the 100 after the head of its own request's
 * answer, and the client takes it for the body.
 */
export function continueInTurn(server: EventEmitter): void {
  server.on('checkContinue', (request: unknown, response: ServerResponse | Http2ServerResponse) => {
    const goOn = () => {
      response.writeContinue();
      server.emit('request', request, response);
    };
    if (response.socket) goOn();
    else response.once('socket', goOn);
  });
}
