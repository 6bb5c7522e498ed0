/** Notes what a write through this server did, before its client learns of it: what is cached of it is read live until then (CACHE-7). */

import { bodyOf, ReplyBody } from '@fleet/client/reply-body.ts';
import type { BytesReply, Upstream } from '@fleet/client/upstream.ts';
import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { findObjectNames } from '@fleet/kube/object-names.ts';
import type { ResourceRequest, Verb } from '@fleet/kube/request-info.ts';
import type { Ask } from '../target/target.ts';
import { deletedIn } from './deleted-objects.ts';
import type { Write } from './own-writes.ts';

const writing: ReadonlySet<Verb> = new Set<Verb>(['create', 'update', 'patch', 'delete', 'deletecollection']);
/** What is sent to pods changes no object. */
const streams = new Set(['exec', 'attach', 'portforward', 'proxy', 'log']);

export type WriteAsk = Ask & ResourceRequest & { is: 'resource' };

export const isWrite = (ask: Ask): ask is WriteAsk =>
  ask.is === 'resource' && writing.has(ask.verb) && !(ask.subresource && streams.has(ask.subresource));

/** What the answer says was done. An eviction deletes the pod that it names, and says nothing of it. */
export type Observed = Write | { evicted: true };

/** Carries one write. A dry run writes nothing. */
export function observingWrite(upstream: Upstream, ask: WriteAsk, onWrite: (write: Observed) => void): Upstream {
  return {
    call: async (call) => {
      if (/[?&]dryRun=/.test(call.path)) return upstream.call(call);
      const reply = await upstream.call(call).catch((error: unknown) => {
        onWrite({ unknown: true });
        throw error;
      });
      if (reply.status >= 200 && reply.status < 300) return seen(reply, ask, onWrite);
      // What was not answered may have been done.
      if (reply.status >= 500) onWrite({ unknown: true });
      return reply;
    },
    upgrade: (call) => upstream.upgrade(call),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}

/** In bytes. Collections may be of any size: what is longer is passed on as it comes. */
const longestList = 1024 * 1024;

async function seen(reply: BytesReply, ask: WriteAsk, onWrite: (write: Observed) => void): Promise<BytesReply> {
  if (ask.verb === 'create' && ask.subresource === 'eviction') {
    onWrite({ evicted: true });
    return reply;
  }
  const isPlain = reply.headers['content-encoding'] === undefined;
  const isJson = isPlain && String(reply.headers['content-type'] ?? '').startsWith('application/json');
  if (!isJson) {
    onWrite({ unknown: true });
    return reply;
  }
  if (ask.verb === 'deletecollection') {
    const { whole, body } = await readUpTo(longestList, reply.body);
    onWrite(whole ? writeIn(whole, ask) : { unknown: true });
    return { ...reply, body };
  }
  const bytes = await reply.body.bytes();
  onWrite(writeIn(bytes, ask));
  return { ...reply, body: bodyOf(bytes) };
}

/** Of the object that a request names, as the cache has it. A Namespace is in no namespace, whatever its path. */
export function keyOf({ group, resource, namespace, name }: WriteAsk): string | undefined {
  const isWithout = namespace === undefined || (group === '' && resource === 'namespaces');
  return name === undefined || isWithout ? name : `${namespace}/${name}`;
}

function writeIn(bytes: Buffer, ask: WriteAsk): Write {
  if (ask.verb === 'delete' || ask.verb === 'deletecollection') {
    const deleted = deletedIn(bytes, ask.verb === 'delete' ? (keyOf(ask) ?? '') : undefined);
    return deleted ? { deleted } : { unknown: true };
  }
  const version = versionIn(bytes);
  return version ? { version } : { unknown: true };
}

function versionIn(bytes: Buffer): string {
  try {
    const span = findObjectNames(bytes, 0, { isEvent: false, maps: false }).resourceVersion;
    return span ? bytes.toString('utf8', span.start, span.end) : '';
  } catch (error) {
    // The client is sent it as it is, and decides.
    if (error instanceof JsonBytesError) return '';
    throw error;
  }
}

/** The whole, if it is no longer than that; in either case a body that has all of it. */
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

/** What was read already, and the rest as its reader takes it. */
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
