/** Serves an upgrade request over a socket: with the new protocol, or with a plain response as the last one on the connection. */

import { type IncomingMessage, ServerResponse, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { endConnection } from '@fleet/kube/end-connection.ts';
import type { ApiHandler, ApiReply, ApiRequest } from './message.ts';

export interface Upgrade {
  incoming: IncomingMessage;
  socket: Duplex;
  /** Bytes that the client has sent after its request. */
  head: Buffer;
  request: Pick<ApiRequest, 'headers' | 'caller'>;
  /** Aborted when the server is closed. */
  signal: AbortSignal;
  write(response: ServerResponse, reply: ApiReply): Promise<void>;
}

/** Settles when the connection is closed, for whatever reason. */
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
  // While a response is pending nothing reads the connection, so a leaving client would not be noticed.
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
  // Nothing else reads or ends it: a client that keeps its half open would keep the connection forever (LIMIT-1).
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
