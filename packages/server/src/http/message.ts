/** The request and reply types of handlers, which are the same for HTTP/1.1 and HTTP/2. */

import type { X509Certificate } from 'node:crypto';
import type { Duplex, Readable } from 'node:stream';
import type { Headers } from '@fleet/client/upstream.ts';
import type { AnswerMemory } from '@fleet/kube/answer-memory.ts';

export interface Incoming {
  id: string;
  method: string;
  /** Path and query as received. */
  url: string;
  headers: Headers;
  /** Undefined if the request has no body. */
  body: Readable | undefined;
  /** The client requests another protocol: exec, attach, port-forward, WebSocket. */
  upgrade: boolean;
  /** The client certificate, if it chains to a trusted CA. `authn` reads the user from it. */
  certificate: X509Certificate | undefined;
  /** The client sent a certificate that does not chain to a trusted CA: an invalid credential. */
  untrustedCertificate: boolean;
  remoteAddress: string;
  /** How many bytes of the answer's body were written. */
  traffic: { sent: number };
  /** Aborted when the client disconnects or the server ends. */
  signal: AbortSignal;
}

export type Reply = PlainReply | UpgradedReply;

export interface PlainReply {
  is: 'plain';
  status: number;
  headers: Headers;
  body: Buffer | AsyncIterable<Buffer> | undefined;
  /** An answer of another server: no headers are added to it. */
  passed?: true;
  /** The memory that such an answer may hold (SEC-2). */
  memory?: AnswerMemory;
  /** Whether other requests wait for the memory that it holds: then a client that reads nothing for a minute is cut off (SEC-2). */
  mustMove?: () => boolean;
  /** The stream ends by itself, with a last event, when the server does. */
  endsItself?: true;
  /** Aborted when the stream has ended: a client that does not read the rest within a while is cut off (WATCH-7). */
  over?: AbortSignal;
}

/** A body that is written by callbacks: for thousands of streams that get small chunks at the same time. */
export interface PushedBody extends AsyncIterable<Buffer> {
  /** Used instead of iterating. Resolves when all was written, or the client has disconnected. */
  pushInto(sink: Sink): Promise<void>;
  /** Stops writing; `pushInto` resolves. */
  stop(): void;
}

export interface Sink {
  /** Returns false if the buffer is full: `onDrain` is called when it takes more. */
  write(chunk: Buffer): boolean;
  /** Bytes that were not sent yet. */
  readonly unsent: number;
  /** Subscribes until disposed. */
  onDrain(listener: () => void): Disposable;
}

export interface UpgradedReply {
  is: 'upgraded';
  status: number;
  statusText: string;
  headers: Headers;
  stream: Duplex;
  /** Bytes that the member sent right after its answer's head. */
  head: Buffer;
  over?: AbortSignal;
}

export type Handler = (incoming: Incoming) => Promise<Reply>;

export const jsonReply = (status: number, value: unknown, headers: Headers = {}): PlainReply => ({
  is: 'plain',
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(`${JSON.stringify(value)}\n`),
});
