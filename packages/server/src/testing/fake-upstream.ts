/** An upstream in the test process: answers by a function, and records its calls. */

import { bodyOf, ReplyBody } from '@fleet/client/reply-body.ts';
import type { BytesReply, Headers, UpgradeReply, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { AnswerMemory } from '@fleet/kube/answer-memory.ts';
import { StatusError } from '@fleet/kube/status.ts';

export type Answer = (call: UpstreamCall) => BytesReply | Promise<BytesReply>;

export class FakeUpstream implements Upstream {
  readonly calls: UpstreamCall[] = [];
  disposed = false;
  answer: Answer;
  upgradeAnswer: ((call: UpstreamCall) => Promise<UpgradeReply>) | undefined;

  constructor(answer: Answer) {
    this.answer = answer;
  }

  async call(call: UpstreamCall): Promise<BytesReply> {
    this.calls.push(call);
    return this.answer(call);
  }

  async upgrade(call: UpstreamCall): Promise<UpgradeReply> {
    this.calls.push(call);
    if (!this.upgradeAnswer) throw new Error('no upgrade was expected');
    return this.upgradeAnswer(call);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.disposed = true;
  }

  get paths(): string[] {
    return this.calls.map(({ method, path }) => `${method} ${path}`);
  }
}

const json = { 'content-type': 'application/json' };

export const replyOf = (status: number, value: unknown, headers: Headers = {}): BytesReply => ({
  status,
  headers: { ...json, ...headers },
  body: bodyOf(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))),
});

export const statusReply = (code: number, reason: string, message: string, headers: Headers = {}): BytesReply =>
  replyOf(code, new StatusError(code, reason, message).toStatus(), headers);

/** An answer that never arrives. The caller's signal ends the wait, as with a real connection. */
export const silence = (call: UpstreamCall): Promise<BytesReply> =>
  new Promise((_, reject) => {
    const fail = () => reject(call.signal.reason);
    if (call.signal.aborted) fail();
    call.signal.addEventListener('abort', fail, { once: true });
  });

/** A body that the test writes itself. `aborted`: the reason for which its reader has stopped. */
export function openBody(objectLimit?: number): {
  body: ReplyBody;
  write(text: string): void;
  aborted: Promise<Error>;
} {
  const { promise, resolve } = Promise.withResolvers<Error>();
  const body = new ReplyBody({ pause() {}, resume() {}, abort: resolve }, new AnswerMemory(objectLimit));
  return { body, write: (text) => body.push(Buffer.from(text)), aborted: promise };
}
