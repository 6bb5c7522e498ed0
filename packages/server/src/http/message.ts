/** A request as it came in, and a reply as it goes out; neither knows whether HTTP/1.1 or HTTP/2 carries it. */

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
  /** Undefined where the request has no body at all. */
  body: Readable | undefined;
  /** The client asks for another protocol: exec, attach, port-forward, WebSocket. */
  upgrade: boolean;
  /** The certificate a client showed, if it chains to a CA we trust; `authn` decides what it says. */
  certificate: X509Certificate | undefined;
  /** It showed one that does not: no proof, but an attempt at one. */
  untrustedCertificate: boolean;
  remoteAddress: string;
  /** Bytes of the answer's body, as far as it has been written. */
  traffic: { sent: number };
  /** Aborted when the client is gone or the server ends. */
  signal: AbortSignal;
}

export type Reply = PlainReply | UpgradedReply;

export interface PlainReply {
  is: 'plain';
  status: number;
  headers: Headers;
  body: Buffer | AsyncIterable<Buffer> | undefined;
  /** Another server's answer: nothing of ours is said beside it. */
  passed?: true;
  /** What may be held of such an answer (SEC-2). */
  memory?: AnswerMemory;
  /** Whether it holds memory that others wait for: a client that takes nothing of it for a minute is cut off then (SEC-2). */
  mustMove?: () => boolean;
  /** A stream that ends by itself, with a last word, when the server does. */
  endsItself?: true;
  /** Aborted when nothing more comes of a stream: who has not taken the rest a while later is cut off (WATCH-7). */
  over?: AbortSignal;
}

/** A body that can be pushed: for those of which there are thousands, and small chunks for all of them at once. */
export interface PushedBody extends AsyncIterable<Buffer> {
  /** Instead of reading it. Resolves when all has been written, or nobody is left to read it. */
  pushInto(sink: Sink): Promise<void>;
  /** Writes nothing more; `pushInto` resolves. */
  stop(): void;
}

export interface Sink {
  /** False if that is enough for now: `onDrain` tells when it takes more. */
  write(chunk: Buffer): boolean;
  /** Bytes that the connection has not taken yet. */
  readonly unsent: number;
  /** Until it is disposed. */
  onDrain(listener: () => void): Disposable;
}

export interface UpgradedReply {
  is: 'upgraded';
  status: number;
  statusText: string;
  headers: Headers;
  stream: Duplex;
  /** What the member sent right behind its answer. */
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
