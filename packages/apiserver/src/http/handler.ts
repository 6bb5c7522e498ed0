/** Handles a request of the API server: path, resource, verb; every thrown error becomes a Status. */

import { isYaml } from '@fleet/kube/request-body.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { readRequestInfo } from '@fleet/kube/request-info.ts';
import {
  badRequest,
  methodNotAllowed,
  noSuchResource,
  requestTooLarge,
  type Status,
  type StatusError,
  statusErrorOf,
} from '@fleet/kube/status.ts';
import type { User } from '../authn/user.ts';
import { type AnsweredResource, answerCreate } from './answered-resource.ts';
import { serveComputed } from './computed-resource.ts';
import { isConnected } from './connected.ts';
import { answerDiscovery } from './discovery.ts';
import { inFormat, isNoPath, refusalReply } from './last-form.ts';
import { refuseUnrouted } from './media.ts';
import { type ApiHandler, type ApiReply, type ApiRequest, type Enter, oneHeader } from './message.ts';
import { prettyReply, wantsPretty } from './pretty.ts';
import { refuseBadTimeout } from './request-timeout.ts';
import type { ServedResources } from './served-resources.ts';
import type { Call, Resource } from './verb.ts';
import { Warnings } from './warnings.ts';

export interface ServerParts {
  /** Authenticates and authorises first: throws 401 or 403. */
  enter: Enter;
  /** The error if the user is not allowed to create the object; undefined if allowed. */
  createRefused(user: User, ask: ResourceRequest): Promise<Status | undefined>;
  resources: ServedResources;
  serve(resource: Resource, call: Call): Promise<ApiReply>;
  /** Connects to a pod, or to a port in it. */
  connect(resource: Resource, call: Call): Promise<ApiReply>;
  /** Documents at fixed paths. */
  plain: ReadonlyMap<string, () => ApiReply>;
  documents: { answer(request: ApiRequest, segments: readonly string[]): Promise<ApiReply | undefined> };
  /** For example `v1.36.3`. */
  gitVersion: string;
  /** Receives errors that clients do not see. */
  onInternalError(error: unknown): void;
}

export const createHandler = (parts: ServerParts): ApiHandler => {
  const answer = answering(parts);
  return async (request) => {
    const warnings = new Warnings();
    const reply = await answer(request, warnings.add);
    const { headers } = warnings;
    const warning = headers.length > 0 ? { warning: headers } : {};
    const whole = { ...reply, headers: { 'cache-control': 'no-cache, private', ...warning, ...reply.headers } };
    return wantsPretty(request) && !reply.isPassed ? prettyReply(whole) : whole;
  };
};

type Answering = (request: ApiRequest, warn: Call['warn']) => Promise<ApiReply>;

const answering = (parts: ServerParts): Answering => {
  const serve = router(parts);
  return async (request, warn) => {
    try {
      return await inFormat(request, await serve(request, warn));
    } catch (thrown) {
      const error = statusErrorOf(thrown);
      if (error.code === 500) parts.onInternalError(thrown);
      return isNoPath(error) && !isRouted(request, parts.resources) ? noPath : refusalReply(request, error);
    }
  };
};

/** The response of Go's router to an unknown path. */
const noPath: ApiReply = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: Buffer.from('404 page not found\n'),
};

/** Paths below a built-in group get a Status; others get the response of Go's HTTP server. */
function isRouted({ url }: ApiRequest, resources: ServedResources): boolean {
  const [, root, group] = url.split('?', 1)[0]!.split('/');
  return root === 'api' || root === 'version' || (root === 'apis' && resources.hasOwnGroup(group ?? ''));
}

const router =
  ({ enter, createRefused, resources, serve, connect, plain, documents, gitVersion }: ServerParts): Answering =>
  async (request, warn) => {
    const { path, segments, query } = readUrl(request);
    const ask = readRequestInfo(request.method, segments, query);
    const isConnect = ask !== undefined && isConnected(ask);
    if (ask?.verb !== 'watch' && !isConnect) refuseBadTimeout(query);
    const user = await enter(request, ask ?? { path });
    if (!ask) {
      if (!['GET', 'HEAD'].includes(request.method)) refuseMethod(segments, resources);
      return (
        fixed(plain.get(path)?.() ?? (await documents.answer(request, segments))) ??
        answerDiscovery(request, segments, resources) ??
        fixed(answerPlain(request, segments, gitVersion, resources))
      );
    }
    // RequestInfo treats it as the core group, but no router serves it.
    if (segments[0] === 'apis' && ask.group === '') throw noSuchResource();
    const answered = resources.findAnswered(ask);
    if (answered) {
      refuseUnansweredPath(answered, segments);
      const call = { request, ask, query, user, warn };
      return serveAnswered(answered, call, resources.find(ask));
    }
    const computed = resources.findComputed(ask);
    if (computed) return serveComputed(computed, { request, ask, query, user, warn });
    const resource = resources.find(ask);
    if (!resource || isInOther(resource, segments)) throw noSuchResource();
    if (isConnect) return connect(resource, { request, ask, query, user, warn });
    // A watch of one object has a name in the path; otherwise the name came from the selector.
    const canCreate = ask.verb === 'update' || ask.verb === 'patch';
    const refused = canCreate ? await createRefused(user, ask) : undefined;
    return serve(resource, { request, ask, query, user, warn, createRefused: refused });
  };

/**
 * A Namespace is not in another namespace: only `namespaces/{name}` exists, though RequestInfo treats
 * `namespaces/{other}/namespaces/{name}` as the same, and permissions are checked in that other namespace.
 */
const isInOther = ({ printed }: Resource, segments: readonly string[]): boolean =>
  !printed.namespaced && segments[segments.indexOf('namespaces') + 2] === 'namespaces';

/** Documents that are not objects have one format only. */
const fixed = <Reply extends ApiReply | undefined>(reply: Reply): Reply => reply && { ...reply, isFixed: true };

/** Some documents are behind a router that checks methods; the others are served for every method. */
function refuseMethod([root, group, version, ...rest]: readonly string[], resources: ServedResources): void {
  const isDocument =
    (root === 'version' && group === undefined) ||
    (root === 'api' && version === undefined && (group === undefined || group === 'v1')) ||
    (root === 'apis' && version !== undefined && rest.length === 0 && resources.hasOwnVersion(group!, version));
  if (isDocument) throw notThisMethod();
}

const notThisMethod = (): StatusError =>
  methodNotAllowed('the server does not allow this method on the requested resource');

/** In bytes. Virtual resources are handled on the main thread, and no legitimate request is that large (LIMIT-3). */
const longestQuestion = { yaml: 8 * 1024, other: 64 * 1024 };

/** For every method and query, as those may turn a list into a watch, or name an object. */
function refuseUnansweredPath({ kind, at }: AnsweredResource, segments: readonly string[]): void {
  const { verb, namespace, name, rest } = readRequestInfo('POST', segments, new URLSearchParams())!;
  const isOldPrefix = verb !== 'create';
  const hasPlace =
    kind.namespaced === (namespace !== undefined) && (name === undefined || at.subresource !== undefined);
  if (isOldPrefix || !hasPlace || rest.length > 0) throw noSuchResource();
}

/** `parent` is the resource of the requested subresource. */
async function serveAnswered(resource: AnsweredResource, call: Call, parent: Resource | undefined): Promise<ApiReply> {
  const { verb, namespace, name } = call.ask;
  if (verb !== 'create') throw notThisMethod();
  const longest = longestQuestion[isYaml(oneHeader(call.request, 'content-type')) ? 'yaml' : 'other'];
  if (call.request.body.length > longest) throw requestTooLarge(longest);
  return answerCreate(resource, call, async () => {
    if (namespace !== undefined)
      await parent?.admit({ apiVersion: '', kind: '', metadata: { name: name!, namespace } });
  });
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

/** The list of paths at `/`. */
function pathsOf({ all, computed }: ServedResources): string[] {
  const kinds = [...all.map(({ printed }) => printed), ...[...computed].map(({ kind }) => kind)];
  const groups = kinds.flatMap(({ group, version }) =>
    group ? [`/apis/${group}`, `/apis/${group}/${version}`] : [`/api/${version}`],
  );
  const others = ['/api', '/apis', '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];
  return [...new Set([...groups, ...others])].sort();
}

/** The build information of kube-apiserver is empty here. */
const versionInfo = (major: string, minor: string, gitVersion: string) => ({
  major,
  minor,
  emulationMajor: major,
  emulationMinor: minor,
  minCompatibilityMajor: major,
  minCompatibilityMinor: String(Number(minor) - 1),
  gitVersion,
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: '',
});

/** Always indented. */
const indexReply = (value: object): ApiReply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value, undefined, 2)),
});

function answerPlain(
  request: ApiRequest,
  [first, ...rest]: readonly string[],
  gitVersion: string,
  resources: ServedResources,
): ApiReply {
  if (first === undefined || (first === '' && rest.length === 0)) return indexReply({ paths: pathsOf(resources) });
  if (rest.length > 0) throw noSuchResource();
  switch (first) {
    case 'version': {
      refuseUnrouted(oneHeader(request, 'accept'), ['application/json']);
      const [, major, minor] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? [];
      return indexReply(versionInfo(major!, minor!, gitVersion));
    }
    case 'healthz':
    case 'livez':
    case 'readyz':
      if (request.url.split('?', 1)[0]!.endsWith('/')) throw noSuchResource();
      return {
        status: 200,
        headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
        body: Buffer.from('ok'),
      };
    default:
      throw noSuchResource();
  }
}
