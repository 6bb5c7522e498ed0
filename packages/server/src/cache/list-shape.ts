/** Learns from a small list how a member formats lists of a resource, so that cached lists have the same format (CACHE-17). */

import { errorOf } from '@fleet/client/kube-client.ts';
import type { BytesReply, Upstream } from '@fleet/client/upstream.ts';
import { eachMember, JsonBytesError, spanIs } from '@fleet/kube/json-bytes.ts';
import { splitList } from '@fleet/kube/list-splitter.ts';

export interface ListShape {
  /** Such as `PodList`; a custom resource can have any name. */
  kind: string;
  /** Whether `metadata` comes after `items`, as kube-apiserver writes lists of custom resources. */
  endsWithVersion: boolean;
  /** Whether items have `kind` and `apiVersion`, as those of custom resources have. */
  itemsHaveKind: boolean;
  /** There was no item to learn that from: it is learnt again once there is one. */
  isGuessed: boolean;
}

/** Throws if the member does not list it. `path`: of the resource, over all namespaces or in one. */
export async function listShapeOf(upstream: Upstream, path: string, signal: AbortSignal): Promise<LearntShape> {
  return shapeIn(await answered(upstream, `${path}?limit=1`, signal), path.startsWith('/api/'));
}

/** Throws if the member does not allow the product to watch it: objects that are only listed would never be updated. */
export async function requireWatch(
  upstream: Upstream,
  path: string,
  version: string,
  signal: AbortSignal,
): Promise<void> {
  const query = `watch=true&timeoutSeconds=1&resourceVersion=${encodeURIComponent(version)}`;
  const { body } = await answered(upstream, `${path}?${query}`, signal);
  body.cancel();
}

async function answered(upstream: Upstream, path: string, signal: AbortSignal): Promise<BytesReply> {
  const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'fleet-cache' };
  const reply = await upstream.call({ method: 'GET', path, headers, signal });
  if (reply.status !== 200) throw errorOf(reply.status, await reply.body.refusal());
  return reply;
}

export interface LearntShape {
  shape: ListShape;
  /** Of the list that it was learnt from. */
  version: string;
}

async function shapeIn({ body }: BytesReply, isCore: boolean): Promise<LearntShape> {
  let endsWithVersion = false;
  let itemsHaveKind: boolean | undefined;
  for await (const part of splitList(body, body.memory)) {
    if (part.is === 'items') itemsHaveKind = hasKind(part.items[0]!);
    else if (part.is === 'head') endsWithVersion = part.envelope.metadata?.resourceVersion === undefined;
    else if (part.envelope.kind !== undefined) {
      const { kind, metadata } = part.envelope;
      // Only lists of custom resources have sorted keys, and no custom resource is in the core group.
      const isGuessed = itemsHaveKind === undefined && !endsWithVersion && !isCore;
      const shape = { kind, endsWithVersion, itemsHaveKind: itemsHaveKind ?? endsWithVersion, isGuessed };
      return { shape, version: metadata?.resourceVersion ?? '' };
    }
  }
  throw new JsonBytesError('a list without a kind');
}

function hasKind(item: Buffer): boolean {
  let found = false;
  eachMember(item, 0, (key) => {
    found ||= spanIs(item, key, 'kind');
    return undefined;
  });
  return found;
}
