/** Listens on a port for agents only (`--agent-listen`), which speaks SSH. */

import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { AcceptAgent } from './agent-connections.ts';
import { cannotListen } from './cannot-listen.ts';

export interface AgentListener {
  address: AddressInfo;
  /** Stops accepting. Open connections end with the tunnels. */
  close(): void;
}

export async function listenForAgents(
  address: { host: string; port: number },
  accept: AcceptAgent,
  onError: (error: unknown) => void,
): Promise<AgentListener> {
  const server = createServer((socket: Socket) => accept(socket, socket.remoteAddress ?? ''));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(address, error)));
    server.listen(address.port, address.host, resolve);
  });
  server.removeAllListeners('error');
  server.on('error', onError);
  return { address: server.address() as AddressInfo, close: () => void server.close() };
}
