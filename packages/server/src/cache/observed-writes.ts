/** Notes what a write through this server did, before its client learns of it: what is cached of it is read live until then (CACHE-7). */

import { bodyOf } from '@fleet/client/reply-body.ts';
import type { BytesReply, Upstream } from '@fleet/client/upstream.ts';
import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { findObjectNames } from '@fleet/kube/object-names.ts';
import type { ResourceRequest, Verb } from '@fleet/kube/request-info.ts';
import type { Ask } from '../target/target.ts';
import type { Write } from './own-writes.ts';

const writing: ReadonlySet<Verb> = new Set<Verb>(['create', 'update', 'patch', 'delete', 'deletecollection']);
/** What is sent to pods changes no object. */
const streams = new Set(['exec', 'attach', 'portforward', 'proxy', 'log']);

export const isWrite = (ask: Ask): ask is Ask & ResourceRequest & { is: 'resource' } =>
  ask.is === 'resource' && writing.has(ask.verb) && !(ask.subresource && streams.has(ask.subresource));

/** Carries one write. */
export function observingWrite(upstream: Upstream, verb: Verb, onWrite: (write: Write) => void): Upstream {
  return {
    call: async (call) => {
      const reply = await upstream.call(call).catch((error: unknown) => {
        onWrite({ unknown: true });
        throw error;
      });
      if (reply.status >= 200 && reply.status < 300) return seen(reply, verb, onWrite);
      // What was not answered may have been done.
      if (reply.status >= 500) onWrite({ unknown: true });
      return reply;
    },
    upgrade: (call) => upstream.upgrade(call),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}

async function seen(reply: BytesReply, verb: Verb, onWrite: (write: Write) => void): Promise<BytesReply> {
  // A collection's answer is a list, and that of a delete may be a Status: neither has the version of what was done.
  const isObject = verb !== 'delete' && verb !== 'deletecollection';
  const isJson = String(reply.headers['content-type'] ?? '').startsWith('application/json');
  if (!isObject || !isJson) {
    onWrite({ unknown: true });
    return reply;
  }
  const bytes = await reply.body.bytes();
  const version = versionIn(bytes);
  onWrite(version ? { version } : { unknown: true });
  return { ...reply, body: bodyOf(bytes) };
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
