/** The way of one request through the API server: path, resource, verb; whatever is thrown becomes a Status. */

import { readRequestInfo } from '@fleet/kube/request-info.ts';
import { badRequest, methodNotAllowed, noSuchResource, statusErrorOf } from '@fleet/kube/status.ts';
import type { Enter } from '../authn/access.ts';
import { type AnsweredResource, answerCreate } from './answered-resource.ts';
import { answerDiscovery } from './discovery.ts';
import { type ApiHandler, type ApiReply, type ApiRequest, jsonReply } from './message.ts';
import type { ServedResources } from './served-resources.ts';
import { type Call, serveResource } from './verbs.ts';

export interface ServerParts {
  /** Before anything is done: throws if the caller is nobody, or may not. */
  enter: Enter;
  resources: ServedResources;
  /** Documents at paths of their own. */
  plain: ReadonlyMap<string, () => ApiReply>;
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
  ({ enter, resources, plain, gitVersion }: ServerParts): ApiHandler =>
  async (request): Promise<ApiReply> => {
    const { path, segments, query } = readUrl(request);
    const ask = readRequestInfo(request.method, segments, query);
    const user = await enter(request, ask ?? { path });
    if (!ask)
      return plain.get(path)?.() ?? answerDiscovery(request, segments, resources) ?? answerPlain(segments, gitVersion);
    const answered = resources.findAnswered(ask);
    if (answered) return serveAnswered(answered, { request, ask, query, user });
    const resource = resources.find(ask);
    if (!resource) throw noSuchResource();
    // A name in the path makes a watch of one object; elsewhere it was read from the selector.
    return serveResource(resource, { request, ask, query, user });
  };

function serveAnswered(resource: AnsweredResource, call: Call): Promise<ApiReply> {
  const { verb, namespace, name } = call.ask;
  if (resource.kind.namespaced !== (namespace !== undefined)) throw noSuchResource();
  const isAtPlace = (name !== undefined) === (resource.at.subresource !== undefined);
  if (verb !== 'create' || !isAtPlace)
    throw methodNotAllowed('the server does not allow this method on the requested resource');
  return answerCreate(resource, call);
}

function readUrl({ url }: ApiRequest): { path: string; segments: string[]; query: URLSearchParams } {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const trimmed = path.split('/').slice(1, path.endsWith('/') ? -1 : undefined);
  try {
    const segments = trimmed.map(decodeURIComponent);
    return { path: decodeURIComponent(path), segments, query: new URLSearchParams(at < 0 ? '' : url.slice(at)) };
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
