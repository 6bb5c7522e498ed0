/** A request to change protocols, over a socket: the new protocol, or a plain answer as the last one on the connection. */

import { type IncomingMessage, ServerResponse, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { endConnection } from '@fleet/kube/end-connection.ts';
import type { ApiHandler, ApiReply, ApiRequest } from './message.ts';

export interface Upgrade {
  incoming: IncomingMessage;
  socket: Duplex;
  /** What the client has sent behind its request already. */
  head: Buffer;
  request: Pick<ApiRequest, 'headers' | 'caller'>;
  /** Aborted when the server ends. */
  signal: AbortSignal;
  write(response: ServerResponse, reply: ApiReply): Promise<void>;
}

/** Settles when the connection is over, for whatever reason. */
export async function serveUpgrade(handler: ApiHandler, upgrade: Upgrade): Promise<void> {
  const { incoming, socket, head, request, signal, write } = upgrade;
  const gone = new AbortController();
  const cut = () => socket.destroy();
  socket.on('error', cut);
  signal.addEventListener('abort', cut, { once: true });
  socket.once('close', () => {
    signal.removeEventListener('abort', cut);
    gone.abort();
  });
  // Nobody reads a connection that waits for its answer; that its client is gone is seen only then.
  const look = () => void socket.read(0);
  socket.on('readable', look);
  const left = () => gone.abort();
  socket.once('end', left);
  const { method = 'GET', url = '/' } = incoming;
  const reply = await handler({
    ...request,
    method,
    url,
    body: Buffer.alloc(0),
    isUpgrade: true,
    signal: AbortSignal.any([gone.signal, signal]),
  });
  socket.off('readable', look);
  socket.off('end', left);
  if (socket.destroyed) return;
  if (reply.takeOver) {
    socket.write(headOf(reply), 'latin1');
    if (head.length > 0) socket.unshift(head);
    await reply.takeOver(socket);
    return;
  }
  const response = new ServerResponse(incoming);
  response.assignSocket(socket as Socket);
  response.shouldKeepAlive = false;
  // Nobody else reads it or ends it: a client that keeps its half would have it for ever (LIMIT-1).
  response.once('finish', () => endConnection(socket));
  await write(response, reply);
}

function headOf({ headers }: ApiReply): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one] as const),
  );
  for (const [name, value] of lines) validateHeaderValue(name, value);
  return ['HTTP/1.1 101 Switching Protocols', ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  );
}
