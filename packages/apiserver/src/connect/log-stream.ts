/** Streams a log over a WebSocket, as browsers read it. */

import type { Duplex } from 'node:stream';
import { type Opcode, opcodes } from '@fleet/kube/websocket/frames.ts';
import { WebSocketConnection } from '@fleet/kube/websocket/websocket-connection.ts';

const base64 = 'base64.binary.k8s.io';

export const logProtocols: readonly string[] = ['', 'binary.k8s.io', base64];

/** Begins with an empty message, so that clients know that the connection works. */
export async function logOverWebSocket(
  transport: Duplex,
  protocol: string,
  log: AsyncIterable<Uint8Array>,
): Promise<void> {
  const socket = new WebSocketConnection(transport, { data: () => {}, end: () => {} });
  const isText = protocol === base64;
  const opcode: Opcode = isText ? opcodes.text : opcodes.binary;
  const send = (chunk: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      const payload = isText ? Buffer.from(Buffer.from(chunk).toString('base64')) : chunk;
      socket.send(opcode, payload, (error) => (error ? reject(error) : resolve()));
    });
  try {
    await send(Buffer.alloc(0));
    for await (const chunk of log) await send(chunk);
  } catch (error) {
    if (!socket.over.aborted) throw error;
  } finally {
    socket.close();
  }
}
