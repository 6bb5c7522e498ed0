/** What is done to a member behind its API server's back. */

import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const socket = 'etcd:2379';

/** Compacts a member's etcd to now: every version before the last write is gone. */
export async function forgetHistory(folder: string): Promise<void> {
  // any key will do: each answer has the revision
  const { header } = await ask<{ header: { revision: string } }>(folder, '/v3/kv/range', { key: 'AA==' });
  await ask(folder, '/v3/kv/compaction', { revision: header.revision, physical: true });
}

/**
 * Writes an object where its API server will find it, which sees it in its watch as any write. A write through the API server
 * costs it ten times as much, and as JSON it costs etcd twice: this way two cores manage a thousand events a second
 * and for those who watch them.
 */
export async function writeObject(folder: string, key: string, object: object): Promise<void> {
  const fields = [field(1, Buffer.from(`/registry/${key}`)), field(2, Buffer.from(JSON.stringify(object)))];
  await call(folder, '/etcdserverpb.KV/Put', Buffer.concat(fields));
}

/** A field of bytes of a protobuf message. */
function field(number: number, bytes: Buffer): Buffer {
  const head = [(number << 3) | 2];
  let rest = bytes.length;
  for (; rest > 0x7f; rest >>>= 7) head.push((rest & 0x7f) | 0x80);
  head.push(rest);
  return Buffer.concat([Buffer.from(head), bytes]);
}

const sessions = new Map<string, ClientHttp2Session>();

function sessionOf(folder: string): ClientHttp2Session {
  const known = sessions.get(folder);
  if (known) return known;
  const session = connect('http://etcd', { createConnection: () => createConnection(join(folder, socket)) });
  session.unref();
  // the caller gets the error from its stream
  session.on('error', () => {});
  session.on('close', () => sessions.delete(folder));
  sessions.set(folder, session);
  return session;
}

/** A call of gRPC whose answer does not matter as long as it is a good one. */
async function call(folder: string, path: string, message: Buffer): Promise<void> {
  const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' };
  const stream = sessionOf(folder).request(headers);
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([frame, message]));
  const status: IncomingHttpHeaders = {};
  // an error comes without a body, in its first headers
  stream.on('response', (first) => Object.assign(status, first));
  stream.on('trailers', (trailers) => Object.assign(status, trailers));
  stream.resume();
  await once(stream, 'close');
  if (status['grpc-status'] !== '0') throw new Error(`etcd ${path}: ${status['grpc-message'] ?? 'no answer'}`);
}

const kept = new Agent({ keepAlive: true });

/** etcd answers JSON on the socket where it speaks gRPC. */
async function ask<T>(folder: string, path: string, body: object): Promise<T> {
  const asking = request({ socketPath: join(folder, socket), path, method: 'POST', agent: kept });
  asking.end(JSON.stringify(body));
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`etcd ${path}: ${response.statusCode} ${answer}`);
  return JSON.parse(answer) as T;
}
