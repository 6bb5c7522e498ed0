/** Reads a place's answer as a whole, within the memory limit of one object (SEC-2). */

import { withIdleDeadline } from '@fleet/client/idle-deadline.ts';
import { ReplyBody } from '@fleet/client/reply-body.ts';
import { MemoryTakenError, small } from '@fleet/kube/answer-memory.ts';
import { GrowingBytes } from '@fleet/kube/growing-bytes.ts';
import { badGateway, StatusError } from '@fleet/kube/status.ts';
import type { PlainReply } from '../http/message.ts';

export type Body = NonNullable<PlainReply['body']>;

/** Throws if it breaks off or is too large, and discards the rest. Disposed when it is no longer needed. */
export async function wholeAnswer({ body, memory }: PlainReply): Promise<GrowingBytes> {
  if (Buffer.isBuffer(body) && body.length <= Math.min(small, memory?.objectLimit ?? small))
    return GrowingBytes.of(body);
  using owner = new DisposableStack();
  const lease = memory?.lease();
  const bytes = owner.use(new GrowingBytes(memory?.objectLimit, lease));
  for await (const chunk of chunksOf(body ?? Buffer.alloc(0))) {
    bytes.append(chunk);
    await lease?.admitted();
  }
  owner.move();
  return bytes;
}

/** A member that stops within a body must not keep the memory that others wait for. */
const silence = 60_000;

export async function* chunksOf(body: Body, patience = silence): AsyncGenerator<Buffer, void, undefined> {
  if (Buffer.isBuffer(body)) yield body;
  else yield* body instanceof ReplyBody && patience > 0 ? withIdleDeadline(body, patience) : body;
}

/** Discards the body, so that its connection is free. */
export async function discard({ body }: PlainReply): Promise<void> {
  if (body !== undefined && !Buffer.isBuffer(body)) await body[Symbol.asyncIterator]().return?.();
}

export const unreadable = (cluster: string, cause: unknown): StatusError =>
  cause instanceof MemoryTakenError
    ? tooManyLarge(cluster, cause)
    : badGateway(`cluster "${cluster}" broke off its answer, or sent an invalid one`, { cause });

/** The error if others have not released their large answers in time. */
export const tooManyLarge = (cluster: string, cause: MemoryTakenError): StatusError =>
  new StatusError(
    429,
    'TooManyRequests',
    `too many large objects of cluster "${cluster}" are being read, please try again later`,
    { retryAfterSeconds: 5 },
    { cause },
  );
