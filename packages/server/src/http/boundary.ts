/** Turns every error into a Status. No other code writes error answers. */

import type { Headers } from '@fleet/client/upstream.ts';
import { statusErrorOf } from '@fleet/kube/status.ts';
import type { Logger } from 'pino';
import type { Handler, Incoming, PlainReply, Reply } from './message.ts';
import { statusForm } from './status-form.ts';

export function errorReply(thrown: unknown, { accept }: Headers): PlainReply {
  const error = statusErrorOf(thrown);
  const retryAfter = error.details?.retryAfterSeconds;
  const { contentType, encode } = statusForm(accept);
  return {
    is: 'plain',
    status: error.code,
    headers: {
      'content-type': contentType,
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
    body: encode(error.toStatus()),
  };
}

export const withErrorsAsStatus =
  (handler: Handler, log: Logger): Handler =>
  async (incoming) => {
    try {
      return marked(await handler(incoming), incoming);
    } catch (thrown) {
      if (incoming.signal.aborted)
        log.debug({ id: incoming.id, url: incoming.url }, 'the client disconnected before its answer');
      else if (statusErrorOf(thrown).code === 500) {
        log.error({ err: thrown, id: incoming.id, method: incoming.method, url: incoming.url }, 'unexpected error');
      }
      return marked(errorReply(thrown, incoming.headers), incoming);
    }
  };

/** Adds the headers that kube-apiserver adds to each of its own answers. */
function marked(reply: Reply, { id }: Incoming): Reply {
  if (reply.is === 'upgraded' || reply.passed) return reply;
  return { ...reply, headers: { 'audit-id': id, 'cache-control': 'no-cache, private', ...reply.headers } };
}
