/** Forwards ports of a pod over one connection: each connection to a port has a data stream and an error stream. */

import type { Duplex } from 'node:stream';
import type { SpdyHeaders } from '@fleet/kube/spdy/header-block.ts';
import { SpdyConnection } from '@fleet/kube/spdy/spdy-connection.ts';
import type { SpdyStream } from '@fleet/kube/spdy/spdy-stream.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { WebSocketChannels } from '@fleet/kube/websocket/channels.ts';
import { ended } from './command-streams.ts';

/** One connection to a port; its error is reported to the client. */
export type Forward = (port: number, stream: Duplex) => Promise<void>;

export interface PortForwardOptions {
  forward: Forward;
  /** For error texts. */
  pod: { name: string; uid: string };
  onInternalError(error: unknown): void;
}

export const portForwardProtocol = 'portforward.k8s.io';

/** In milliseconds, for the second stream of a pair. */
const creationTimeout = 30_000;

/** The maximum of pairs that wait for their second stream. */
const mostIncomplete = 500;

/** In characters: Kubernetes clients send numbers. */
const longestRequestId = 64;

interface Pair {
  data?: SpdyStream;
  error?: SpdyStream;
  /** The port of the data stream. */
  port?: number;
  /** The client was sent an error about a third stream. */
  hasComplained?: boolean;
  late: NodeJS.Timeout;
}

/** Settles when the client is gone. */
export function forwardOverSpdy(transport: Duplex, options: PortForwardOptions): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const pairs = new Map<string, Pair>();
  const connection = new SpdyConnection(transport, (stream, headers) => {
    const { port, type } = { port: portOf(headers.get('port')), type: headers.get('streamtype') };
    const isFull = pairs.size >= mostIncomplete;
    const id = requestIdOf(stream, headers);
    if (port === undefined || (type !== 'data' && type !== 'error') || isFull || id.length > longestRequestId) {
      stream.destroy();
      return;
    }
    const pair = pairs.get(id) ?? { late: setTimeout(() => dropLate(id), creationTimeout) };
    pairs.set(id, pair);
    if (pair[type]) {
      stream.destroy();
      // Only once: a client that does not read could cause any number of them.
      if (!pair.hasComplained) {
        pair.error?.write(`error processing stream for request ${id}: ${type} stream already assigned`);
      }
      pair.hasComplained = true;
      return;
    }
    stream.reply();
    if (type === 'error') stream.resume();
    else pair.port = port;
    pair[type] = stream;
    if (!pair.data || !pair.error) return;
    clearTimeout(pair.late);
    pairs.delete(id);
    const { data, error } = pair;
    void forwardPair({ port: pair.port!, data, error, over: connection.over }, options);
  });
  const dropLate = (id: string): void => {
    pairs.get(id)?.error?.end(`(request=${id}) timed out waiting for streams`);
    pairs.get(id)?.data?.destroy();
    pairs.delete(id);
  };
  connection.over.addEventListener('abort', () => {
    for (const { late } of pairs.values()) clearTimeout(late);
    resolve();
  });
  return promise;
}

/** Old clients send no request id: their streams pair up in order. */
const requestIdOf = ({ id }: SpdyStream, headers: SpdyHeaders): string =>
  headers.get('requestid') || String(headers.get('streamtype') === 'error' ? id : id - 2);

function portOf(text = ''): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 0xffff ? port : undefined;
}

interface Forwarded {
  port: number;
  data: Duplex;
  error: Duplex;
  /** Aborted when the client is gone. */
  over: AbortSignal;
}

async function forwardPair({ port, data, error, over }: Forwarded, options: PortForwardOptions): Promise<void> {
  try {
    await options.forward(port, data);
    await Promise.all([ended(data), ended(error)]);
  } catch (thrown) {
    // Errors after the client is gone are expected.
    const isGone = over.aborted || data.destroyed;
    if (!isGone && !(thrown instanceof StatusError)) options.onInternalError(thrown);
    await ended(error, messageOf(port, thrown, options));
    data.destroy();
  }
}

function messageOf(port: number, thrown: unknown, { pod }: PortForwardOptions): string {
  const why = thrown instanceof StatusError ? thrown.message : 'Internal error occurred';
  return `error forwarding port ${port} to pod ${pod.name}, uid ${pod.uid}: ${why}`;
}

export const webSocketPortProtocols: readonly string[] = ['', 'v4.channel.k8s.io', 'v4.base64.channel.k8s.io'];

/** Two channels for each port, data and errors, which begin with the port. One connection to each. */
export async function forwardOverWebSocket(
  transport: Duplex,
  protocol: string,
  ports: readonly number[],
  options: PortForwardOptions,
): Promise<void> {
  const isBase64 = protocol.includes('base64.');
  const sockets = new WebSocketChannels(transport, { count: 2 * ports.length, isBase64, hasClose: false });
  await Promise.all(
    ports.map((port, index) => {
      const [data, error] = [sockets.channel(2 * index), sockets.channel(2 * index + 1)];
      error.resume();
      for (const stream of [data, error]) stream.write(Buffer.from([port & 0xff, port >> 8]));
      return forwardPair({ port, data, error, over: sockets.over }, options);
    }),
  );
  sockets.close();
}
