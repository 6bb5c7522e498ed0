/** Another protocol within the binary messages of a WebSocket, whatever their bounds: the bytes as a Duplex. */

import { Duplex } from 'node:stream';
import { opcodes } from './frames.ts';
import { WebSocketConnection } from './websocket-connection.ts';

export function webSocketTunnel(transport: Duplex): Duplex {
  const tunnel: Duplex = new Duplex({
    read: () => socket.resume(),
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
    data: (piece) => {
      if (!tunnel.destroyed && !tunnel.push(piece)) socket.pause();
    },
    end: () => {},
  });
  socket.over.addEventListener('abort', () => {
    if (!tunnel.destroyed && !tunnel.readableEnded) tunnel.push(null);
  });
  return tunnel;
}
