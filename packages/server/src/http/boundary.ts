/** The boundary that turns whatever is thrown into a Status, in the one place where errors are written. */

import { statusErrorOf } from '@fleet/kube/status.ts';
import type { Logger } from 'pino';
import { type Handler, jsonReply, type Reply } from './message.ts';

export const errorReply = (thrown: unknown): Reply => {
  const error = statusErrorOf(thrown);
  const retryAfter = error.details?.retryAfterSeconds;
  return jsonReply(error.code, error.toStatus(), retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
};

export const withErrorsAsStatus =
  (handler: Handler, log: Logger): Handler =>
  async (incoming) => {
    try {
      return await handler(incoming);
    } catch (thrown) {
      if (incoming.signal.aborted) log.debug({ id: incoming.id, url: incoming.url }, 'client left before its answer');
      else if (statusErrorOf(thrown).code === 500) {
        log.error({ err: thrown, id: incoming.id, method: incoming.method, url: incoming.url }, 'unexpected error');
      }
      return errorReply(thrown);
    }
  };
