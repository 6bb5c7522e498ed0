/** Calls an API server with a deadline for every request. */

import { type Endpoint, HttpsUpstream } from '@fleet/client/https-upstream.ts';
import {
  type BytesReply,
  UnreachableError,
  type UpgradeReply,
  type Upstream,
  type UpstreamCall,
} from '@fleet/client/upstream.ts';

/** For one request, its answer and whatever gives its credential. Less than `KubeClient`'s, whose errors do not name the request. */
const answerWithin = 25_000;

/** What an orderly end may take; then connections are cut. */
const closeWithin = 1_000;

export class NoAnswerError extends UnreachableError {
  constructor(what: string, within: number) {
    super(true, {});
    this.message = `${what} was not answered within ${within / 1000} s`;
  }
}

export class PatientUpstream implements Upstream {
  private readonly upstream: Upstream;
  private readonly where: string;
  private readonly within: number;
  private readonly end: () => void;

  constructor(upstream: Upstream, where: string, within = answerWithin, end: () => void = () => {}) {
    this.upstream = upstream;
    this.where = where;
    this.within = within;
    this.end = end;
  }

  static to(endpoint: Endpoint, within = answerWithin): PatientUpstream {
    const ended = new AbortController();
    return new PatientUpstream(new HttpsUpstream(endpoint, ended.signal), endpoint.url, within, () => ended.abort());
  }

  async call(call: UpstreamCall): Promise<BytesReply> {
    const { signal, answered } = this.deadlineOf(call);
    try {
      const reply = await beforeAbort(this.upstream.call({ ...call, signal }), signal);
      // The deadline is for all of the answer, not only its head.
      reply.body.whenClosed(answered);
      return reply;
    } catch (error) {
      answered();
      throw this.named(error);
    }
  }

  /** What goes on as long as it likes once it has begun: a watch, a log. */
  async stream(call: UpstreamCall): Promise<BytesReply> {
    const { signal, answered } = this.deadlineOf(call);
    return this.begun(this.upstream.call({ ...call, signal }), signal).finally(answered);
  }

  async upgrade(call: UpstreamCall): Promise<UpgradeReply> {
    const { signal, answered } = this.deadlineOf(call);
    return this.begun(this.upstream.upgrade({ ...call, signal }), signal).finally(answered);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeWithin);
    await Promise.race([this.upstream[Symbol.asyncDispose](), late]);
    clearTimeout(timer);
    this.end();
  }

  private begun<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    return beforeAbort(work, signal).catch((error: unknown) => {
      throw this.named(error);
    });
  }

  /** A command talks to the fleet and to members. The error names the one that could not be reached. */
  private named(error: unknown): unknown {
    if (!(error instanceof UnreachableError) || error instanceof NoAnswerError) return error;
    const { origin } = new URL(this.where);
    error.message = error.sent ? `${origin}: ${error.message}` : `cannot connect to ${origin}`;
    return error;
  }

  private deadlineOf({ method, path, signal }: UpstreamCall): { signal: AbortSignal; answered: () => void } {
    const late = new AbortController();
    const what = `${method} ${this.where}${path}`;
    const timer = setTimeout(() => late.abort(new NoAnswerError(what, this.within)), this.within);
    return { signal: AbortSignal.any([signal, late.signal]), answered: () => clearTimeout(timer) };
  }
}

/** A credential plugin that hangs does not look at signals. */
async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
