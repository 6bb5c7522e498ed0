/** Observes the responses to writes before clients get them, so that reads can wait until the stream shows each write (CACHE-7). */

import { bodyOf, ReplyBody } from '@fleet/client/reply-body.ts';
import { type BytesReply, UnreachableError, type Upstream } from '@fleet/client/upstream.ts';
import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { findObjectNames } from '@fleet/kube/object-names.ts';
import type { ResourceRequest, Verb } from '@fleet/kube/request-info.ts';
import { BusyError } from '../members/limited.ts';
import type { Ask } from '../target/target.ts';
import { deletedIn, finalizedIn } from './deleted-objects.ts';
import type { Write } from './own-writes.ts';

const writing: ReadonlySet<Verb> = new Set<Verb>(['create', 'update', 'patch', 'delete', 'deletecollection']);
/** Subresources that change no object, although their verb is `create`. */
const unchanging = new Set(['exec', 'attach', 'portforward', 'proxy', 'log', 'token']);

export type WriteAsk = Ask & ResourceRequest & { is: 'resource' };

export const isWrite = (ask: Ask): ask is WriteAsk =>
  ask.is === 'resource' && writing.has(ask.verb) && !(ask.subresource && unchanging.has(ask.subresource));

export type Observed =
  /** The write, as the response shows it. */
  | Write
  /** The response to an eviction does not show the pod that is deleted. */
  | { evicted: true }
  /** It may have been done, but the member has not confirmed that it let the user write: the client may have aborted it on purpose. */
  | Unconfirmed;

export interface Unconfirmed {
  unconfirmed: true;
}

/** Wraps the upstream of one write. A dry run writes nothing. */
export function observingWrite(upstream: Upstream, ask: WriteAsk, onWrite: (write: Observed) => void): Upstream {
  return {
    call: async (call) => {
      if (isDryRun(call.path)) return upstream.call(call);
      const reply = await upstream.call(call).catch((error: unknown) => {
        if (wasSent(error)) onWrite({ unconfirmed: true });
        throw error;
      });
      if (reply.status >= 200 && reply.status < 300) {
        const { write, passed } = await observed(reply, ask).catch((error: unknown) => {
          // Its body broke off, but the write was done.
          onWrite({ unknown: true });
          throw error;
        });
        onWrite(write);
        return passed;
      }
      // The write may have been done all the same; a deletecollection, of the objects before the one that was refused.
      if (reply.status >= 500 || ask.verb === 'deletecollection') onWrite({ unconfirmed: true });
      return reply;
    },
    upgrade: (call) => upstream.upgrade(call),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}

/** Any other value is refused, or dropped as Go drops what is not encoded well. */
const isDryRun = (path: string): boolean =>
  path.includes('?') && new URLSearchParams(path.slice(path.indexOf('?'))).getAll('dryRun').includes('All');

/** Whether the member may have got the request. */
const wasSent = (error: unknown): boolean =>
  !(error instanceof BusyError) && !(error instanceof UnreachableError && !error.sent);

/** In bytes. The response to a deletecollection can have any size: a longer one is streamed, not parsed. */
const longestList = 1024 * 1024;

async function observed(reply: BytesReply, ask: WriteAsk): Promise<{ write: Observed; passed: BytesReply }> {
  if (ask.verb === 'create' && ask.subresource === 'eviction') return { write: { evicted: true }, passed: reply };
  const isPlain = reply.headers['content-encoding'] === undefined;
  const isJson = isPlain && String(reply.headers['content-type'] ?? '').startsWith('application/json');
  if (!isJson) return { write: { unknown: true }, passed: reply };
  if (ask.verb === 'deletecollection') {
    const { whole, body } = await readUpTo(longestList, reply.body);
    return { write: whole ? writeIn(whole, ask) : { unknown: true }, passed: { ...reply, body } };
  }
  const bytes = await reply.body.bytes();
  return { write: writeIn(bytes, ask), passed: { ...reply, body: bodyOf(bytes) } };
}

/** The cache's key of the object that a request names. For a Namespace object the request has a namespace, the key does not. */
export function objectKeyOf({ group, resource, namespace, name }: WriteAsk): string | undefined {
  const isWithout = namespace === undefined || (group === '' && resource === 'namespaces');
  return name === undefined || isWithout ? name : `${namespace}/${name}`;
}

function writeIn(bytes: Buffer, ask: WriteAsk): Write {
  if (ask.verb === 'delete' || ask.verb === 'deletecollection') {
    const deleted = deletedIn(bytes, ask.verb === 'delete' ? (objectKeyOf(ask) ?? '') : undefined);
    return deleted ? { deleted } : { unknown: true };
  }
  const key = objectKeyOf(ask);
  const finalized = ask.verb === 'create' || key === undefined ? undefined : finalizedIn(bytes, key);
  if (finalized) return { deleted: finalized };
  const version = versionIn(bytes);
  return version ? { version } : { unknown: true };
}

function versionIn(bytes: Buffer): string {
  try {
    const span = findObjectNames(bytes, 0, { isEvent: false, maps: false }).resourceVersion;
    return span ? bytes.toString('utf8', span.start, span.end) : '';
  } catch (error) {
    // The response is passed on unchanged: the client handles it.
    if (error instanceof JsonBytesError) return '';
    throw error;
  }
}

/** `whole` only if it is no longer than the limit; `body` has all of it in any case. */
async function readUpTo(limit: number, body: ReplyBody): Promise<{ whole: Buffer | undefined; body: ReplyBody }> {
  const chunks = body[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  for (let length = 0; length <= limit; ) {
    const { value, done } = await chunks.next();
    if (done) {
      const whole = Buffer.concat(first);
      return { whole, body: bodyOf(whole) };
    }
    first.push(value);
    length += value.length;
  }
  return { whole: undefined, body: continued(first, chunks, body) };
}

/** A body of the chunks that were read already, then the rest, with backpressure. */
function continued(first: readonly Buffer[], rest: AsyncGenerator<Buffer>, source: ReplyBody): ReplyBody {
  let paused: PromiseWithResolvers<void> | undefined;
  const body = new ReplyBody(
    {
      pause: () => {
        paused ??= Promise.withResolvers();
      },
      resume: () => {
        paused?.resolve();
        paused = undefined;
      },
      abort: (reason) => source.cancel(reason),
    },
    source.memory,
  );
  const pump = async (): Promise<void> => {
    for (const chunk of first) body.push(chunk);
    for await (const chunk of rest) {
      body.push(chunk);
      await paused?.promise;
    }
    body.end();
  };
  pump().catch((error: unknown) => body.fail(error as Error));
  return body;
}
