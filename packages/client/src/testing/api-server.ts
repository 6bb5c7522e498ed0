/** A real HTTP server on loopback whose responses the test writes. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface ApiServer extends AsyncDisposable {
  url: string;
  requests: IncomingMessage[];
  sockets: Set<Socket>;
  onUpgrade(listener: (request: IncomingMessage, socket: Socket) => void): void;
}

export async function startApiServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ApiServer> {
  const requests: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    sockets,
    onUpgrade: (listener) => {
      server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
        requests.push(request);
        listener(request, socket);
      });
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
