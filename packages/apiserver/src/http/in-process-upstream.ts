/** The handler as an upstream in process: the same calls as over the network. */

import { type Duplex, duplexPair } from 'node:stream';
import { bodyOf, ReplyBody } from '@fleet/client/reply-body.ts';
import type { BytesReply, UpgradeReply, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { GrowingBytes } from '@fleet/kube/growing-bytes.ts';
import { requestTooLarge } from '@fleet/kube/status.ts';
import type { User } from '../authn/user.ts';
import { type ApiHandler, type ApiReply, type FollowedBody, isFollowed, jsonReply } from './message.ts';

/** The limit of kube-apiserver. */
const bodyLimit = 3 * 1024 * 1024;

/** Undefined if it exceeds the limit. */
async function wholeBody(body: UpstreamCall['body']): Promise<Buffer | undefined> {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body.length > bodyLimit ? undefined : body;
  // A client may send single bytes (SEC-2).
  const bytes = new GrowingBytes(bodyLimit);
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (bytes.length + chunk.length > bodyLimit) return undefined;
    bytes.append(chunk);
  }
  return bytes.take();
}

export class InProcessUpstream implements Upstream {
  readonly #handler: ApiHandler;
  readonly #caller: User;
  readonly #ending = new AbortController();

  /** `caller` is the user of all calls; it may impersonate others by headers, as over the network. */
  constructor(handler: ApiHandler, caller: User) {
    this.#handler = handler;
    this.#caller = caller;
  }

  async call(call: UpstreamCall): Promise<BytesReply> {
    const given = new AbortController();
    return bytesReply(await this.#answer(call, given), given, call.signal);
  }

  async upgrade(call: UpstreamCall): Promise<UpgradeReply> {
    const given = new AbortController();
    const reply = await this.#answer(call, given, { isUpgrade: true });
    if (!reply.takeOver) return { is: 'refused', reply: bytesReply(reply, given, call.signal) };
    const { status, headers } = reply;
    const stream = taken(reply.takeOver, this.#ending.signal);
    stream.once('close', () => given.abort());
    return { is: 'upgraded', status, statusText: 'Switching Protocols', headers, stream, head: Buffer.alloc(0) };
  }

  async #answer(call: UpstreamCall, given: AbortController, upgrade?: { isUpgrade: true }): Promise<ApiReply> {
    const { method, path, headers, body, signal } = call;
    signal.throwIfAborted();
    const bytes = await wholeBody(body);
    const ends = AbortSignal.any([signal, given.signal, this.#ending.signal]);
    const tooLarge = requestTooLarge(bodyLimit);
    return bytes
      ? this.#handler({ method, url: path, headers, body: bytes, signal: ends, caller: this.#caller, ...upgrade })
      : jsonReply(tooLarge.code, tooLarge.toStatus());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
  }
}

function bytesReply({ status, headers, body }: ApiReply, given: AbortController, signal: AbortSignal): BytesReply {
  if (Buffer.isBuffer(body)) return { status, headers, body: bodyOf(body) };
  const coming = isFollowed(body) ? followed(body, given, signal) : streamed(body, given, signal);
  return { status, headers, body: coming };
}

/** The client's end of a connection; the server has the other. An error of either ends both. */
function taken(takeOver: NonNullable<ApiReply['takeOver']>, ending: AbortSignal): Duplex {
  const [near, far] = duplexPair();
  const cut = () => near.destroy();
  ending.addEventListener('abort', cut, { once: true });
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => other.destroy());
    one.once('close', () => {
      ending.removeEventListener('abort', cut);
      if (!one.readableEnded || !one.writableFinished) other.destroy();
    });
  }
  takeOver(far).catch(() => far.destroy());
  return near;
}

/** The same buffer if possible, as events sent to many watchers are framed once. */
const asBuffer = (chunk: Uint8Array): Buffer =>
  Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** With backpressure of its reader. */
function followed(source: FollowedBody, given: AbortController, signal: AbortSignal): ReplyBody {
  let isHeld = false;
  let flow: { resume(): void } | undefined;
  const body = new ReplyBody({
    pause() {
      isHeld = true;
    },
    resume() {
      isHeld = false;
      flow?.resume();
    },
    abort: (reason) => given.abort(reason),
  });
  flow = source.follow({
    take(chunk) {
      body.push(asBuffer(chunk));
      return !isHeld;
    },
    end: () => (signal.aborted ? body.fail(asError(signal.reason)) : body.end()),
  });
  return body;
}

/** Reads only as fast as the reader. */
function streamed(source: AsyncIterable<Uint8Array>, given: AbortController, signal: AbortSignal): ReplyBody {
  let resume: (() => void) | undefined;
  let paused: Promise<void> | undefined;
  const body = new ReplyBody({
    pause() {
      paused = new Promise((resolve) => {
        resume = resolve;
      });
    },
    resume() {
      paused = undefined;
      resume?.();
    },
    abort(reason) {
      given.abort(reason);
      resume?.();
    },
  });
  const pump = async (): Promise<void> => {
    for await (const chunk of source) {
      body.push(asBuffer(chunk));
      await paused;
      if (given.signal.aborted) return;
    }
    if (signal.aborted) throw signal.reason;
    body.end();
  };
  pump().catch((error: unknown) => body.fail(asError(error)));
  return body;
}
