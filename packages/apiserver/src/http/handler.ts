/** The way of one request through the API server: path, resource, verb; whatever is thrown becomes a Status. */

import { readRequestInfo } from '@fleet/kube/request-info.ts';
import { badRequest, noSuchResource, statusErrorOf } from '@fleet/kube/status.ts';
import { answerDiscovery } from './discovery.ts';
import { type ApiHandler, type ApiReply, type ApiRequest, jsonReply } from './message.ts';
import type { ServedResources } from './served-resources.ts';
import { serveResource } from './verbs.ts';

export interface ServerParts {
  resources: ServedResources;
  /** As in `v1.36.3`. */
  gitVersion: string;
  /** Told of what no client is told. */
  onInternalError(error: unknown): void;
}

export const createHandler = (parts: ServerParts): ApiHandler => {
  const serve = router(parts);
  return async (request) => {
    try {
      return await serve(request);
    } catch (thrown) {
      const error = statusErrorOf(thrown);
      if (error.code === 500) parts.onInternalError(thrown);
      const retryAfter = error.details?.retryAfterSeconds;
      const reply = jsonReply(error.code, error.toStatus());
      return retryAfter === undefined
        ? reply
        : { ...reply, headers: { ...reply.headers, 'retry-after': String(retryAfter) } };
    }
  };
};

const router =
  ({ resources, gitVersion }: ServerParts): ApiHandler =>
  async (request): Promise<ApiReply> => {
    const { segments, query } = readUrl(request);
    const ask = readRequestInfo(request.method, segments, query);
    if (!ask) return answerDiscovery(request, segments, resources) ?? answerPlain(segments, gitVersion);
    const resource = resources.find(ask);
    if (!resource) throw noSuchResource();
    // A name in the path makes a watch of one object; elsewhere it was read from the selector.
    return serveResource(resource, { request, ask, query });
  };

function readUrl({ url }: ApiRequest): { segments: string[]; query: URLSearchParams } {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const trimmed = path.split('/').slice(1, path.endsWith('/') ? -1 : undefined);
  try {
    return { segments: trimmed.map(decodeURIComponent), query: new URLSearchParams(at < 0 ? '' : url.slice(at)) };
  } catch (cause) {
    throw badRequest('the path cannot be decoded', { cause });
  }
}

function answerPlain([first, ...rest]: readonly string[], gitVersion: string): ApiReply {
  if (rest.length > 0) throw noSuchResource();
  switch (first) {
    case 'version': {
      const [, major, minor] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? [];
      return jsonReply(200, { major, minor, gitVersion });
    }
    case 'healthz':
    case 'livez':
    case 'readyz':
      return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from('ok') };
    default:
      throw noSuchResource();
  }
}
