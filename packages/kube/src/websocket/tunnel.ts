/** Carries another protocol in the binary messages of a WebSocket, as a Duplex; message bounds have no meaning. */

import type { Duplex } from 'node:stream';
import { opcodes } from './frames.ts';
import { PushedDuplex } from './pushed-duplex.ts';
import { WebSocketConnection } from './websocket-connection.ts';

export function webSocketTunnel(transport: Duplex): Duplex {
  const flow = { pause: () => socket.pause(), resume: () => socket.resume() };
  const tunnel = new PushedDuplex(flow, {
    write: (chunk: Buffer, _, done) => socket.send(opcodes.binary, chunk, done),
    final: (done) => {
      socket.close();
      done();
    },
    destroy: (error, done) => {
      socket.close();
      done(error);
    },
  });
  const socket = new WebSocketConnection(transport, {
    data: (piece) => tunnel.receive(piece),
    end: () => {},
  });
  socket.over.addEventListener('abort', () => {
    if (!tunnel.destroyed && !tunnel.readableEnded) tunnel.push(null);
  });
  return tunnel;
}
