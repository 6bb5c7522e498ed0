/** A Kubernetes API server in memory for tests of controllers: any kind, without schemas, admission and permissions. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { bodyOf, ReplyBody } from '@fleet/client/reply-body.ts';
import type { BytesReply, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { isRecord } from '@fleet/kube/is-record.ts';
import { type ResourceRequest, readRequestInfo } from '@fleet/kube/request-info.ts';
import { parseLabelSelector } from '@fleet/kube/selectors/label-selector.ts';
import { expired, notFound, StatusError, statusErrorOf } from '@fleet/kube/status.ts';
import type { AnyObject } from '../api/objects.ts';
import { FakeObjects, isCustom } from './fake-objects.ts';

export interface FakeControlPlane {
  client: KubeClient;
  objects: FakeObjects;
  /** `METHOD path` of each request that wrote something, Events left out. */
  writes: string[];
  /** What is answered at paths that name no resource. */
  discovery: Map<string, unknown>;
  /** What it throws is the answer. */
  onRequest: ((request: ResourceRequest) => void) | undefined;
  /** What becomes of an object that is created or changed, as defaults and admission do. */
  admit: ((request: ResourceRequest, object: AnyObject) => AnyObject) | undefined;
}

export function fakeControlPlane(): FakeControlPlane {
  const objects = new FakeObjects();
  objects.create({ group: '', resource: 'namespaces' }, { ...namespaceKind, metadata: { name: 'default' } });
  const upstream: Upstream = {
    call: async (call) => {
      try {
        return answer(fake, call);
      } catch (thrown) {
        const error = statusErrorOf(thrown);
        return reply(error.code, error.toStatus());
      }
    },
    upgrade: () => Promise.reject(new Error('nothing is upgraded')),
    [Symbol.asyncDispose]: async () => {},
  };
  const fake: FakeControlPlane = {
    client: new KubeClient(upstream),
    objects,
    writes: [],
    discovery: new Map(),
    onRequest: undefined,
    admit: undefined,
  };
  return fake;
}

const namespaceKind = { apiVersion: 'v1', kind: 'Namespace' };

const reply = (status: number, body: unknown): BytesReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: bodyOf(Buffer.from(JSON.stringify(body))),
});

function answer(fake: FakeControlPlane, call: UpstreamCall): BytesReply {
  const { objects } = fake;
  const url = new URL(call.path, 'http://fake');
  const segments = url.pathname.split('/').slice(1).map(decodeURIComponent);
  const request = readRequestInfo(call.method, segments, url.searchParams);
  if (!request) {
    const answer = fake.discovery.get(url.pathname);
    if (answer === undefined) throw new StatusError(404, 'NotFound', `nothing is served at ${call.path}`);
    return reply(200, answer);
  }
  fake.onRequest?.(request);
  const { verb, name, subresource } = request;
  // A Namespace is not in itself.
  const place = request.resource === 'namespaces' ? { ...request, namespace: undefined } : request;
  const isRead = verb === 'get' || verb === 'list' || verb === 'watch';
  if (!isRead && request.resource !== 'events') fake.writes.push(`${call.method} ${url.pathname}`);
  const body = call.body ? (JSON.parse(call.body.toString()) as AnyObject) : undefined;
  const matches = parseLabelSelector(url.searchParams.get('labelSelector') ?? '');
  const admitted = (object: AnyObject): AnyObject => fake.admit?.(request, object) ?? object;
  const isSelected = ({ metadata }: KubeObject): boolean => matches?.(metadata.labels ?? {}) ?? true;
  switch (verb) {
    case 'list': {
      const items = objects.list(place).filter(isSelected);
      const metadata = { resourceVersion: String(objects.version) };
      return reply(200, { metadata, items: isCustom(place.group) ? items : items.map(withoutKind) });
    }
    case 'watch':
      return watch(objects, place, isSelected, Number(url.searchParams.get('resourceVersion') ?? 0), call.signal);
    case 'get':
      return reply(200, objects.get(place, name!));
    case 'create':
      return reply(201, objects.create(place, admitted(body!)));
    case 'update':
      return reply(200, objects.replace(place, name!, admitted(body!), subresource));
    case 'patch': {
      const patched = merged(objects.get(place, name!), body!) as AnyObject;
      return reply(200, objects.replace(place, name!, admitted(patched), subresource));
    }
    case 'delete':
      return reply(200, objects.delete(place, name!, body?.['preconditions'] as object | undefined));
    default:
      throw notFound(place, name ?? '');
  }
}

/** Lists of Kubernetes' own kinds leave it out. */
function withoutKind({ apiVersion: _apiVersion, kind: _kind, ...object }: AnyObject): KubeObject {
  return object;
}

/** A JSON merge patch. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

function watch(
  objects: FakeObjects,
  place: ResourceRequest,
  isSelected: (object: KubeObject) => boolean,
  from: number,
  signal: AbortSignal,
): BytesReply {
  if (from < objects.oldest) throw expired(`too old resource version: ${from}`);
  const ending = new AbortController();
  const body = new ReplyBody({ pause() {}, resume() {}, abort: () => ending.abort() });
  const following = objects.follow(place, from, ({ version, now, old }) => {
    const [is, was] = [now !== undefined && isSelected(now), old !== undefined && isSelected(old)];
    if (!is && !was) return;
    const type = is ? (was ? 'MODIFIED' : 'ADDED') : 'DELETED';
    // As it was last, at the version at which it left.
    const resourceVersion = String(version);
    const object = is ? now : { ...(now ?? old)!, metadata: { ...(now ?? old)!.metadata, resourceVersion } };
    body.push(Buffer.from(`${JSON.stringify({ type, object })}\n`));
  });
  const ended = AbortSignal.any([signal, ending.signal]);
  const end = (): void => {
    following[Symbol.dispose]();
    body.fail(new StatusError(500, 'InternalError', 'the watch was ended by its reader'));
  };
  if (ended.aborted) end();
  else ended.addEventListener('abort', end, { once: true });
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}
