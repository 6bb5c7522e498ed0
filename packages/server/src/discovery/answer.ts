/** Answers the discovery paths of the merged view. */

import { createHash } from 'node:crypto';
import type { Headers } from '@fleet/client/upstream.ts';
import { noSuchResource } from '@fleet/kube/status.ts';
import { jsonReply, type PlainReply } from '../http/message.ts';
import type { Discovery, Served } from './discovery.ts';
import { aggregated, aggregatedVersion, apiGroup, apiGroupList, apiResourceList, apiVersions } from './forms.ts';

/** Undefined: not a discovery path. */
export async function answerDiscovery(
  discovery: Discovery,
  path: string,
  headers: Headers,
): Promise<PlainReply | undefined> {
  const segments = path.slice(1).split('/');
  if (segments[0] !== 'api' && segments[0] !== 'apis') return undefined;
  const served = await discovery.union();
  const wanted = aggregatedVersion([headers['accept'] ?? []].flat().join(',') || undefined);
  if (segments.length === 1 && wanted) {
    const contentType = `application/json;g=apidiscovery.k8s.io;v=${wanted};as=APIGroupDiscoveryList`;
    return cacheable(aggregated(segments[0] === 'api' ? served.core : served.groups, wanted), headers, contentType);
  }
  return cacheable(legacyDocument(served, segments), headers, 'application/json');
}

function legacyDocument({ core, groups }: Served, [root, ...rest]: string[]): unknown {
  if (rest.length === 0) return root === 'api' ? apiVersions(core) : apiGroupList(groups);
  const name = root === 'api' ? '' : rest[0]!;
  const version = root === 'api' ? rest[0] : rest[1];
  const group = root === 'api' ? core.items[0] : groups.items.find(({ metadata }) => metadata.name === name);
  if (!group || rest.length > (root === 'api' ? 1 : 2)) throw noSuchResource();
  if (version === undefined) return apiGroup(group);
  const found = group.versions?.find((known) => known.version === version);
  if (!found) throw noSuchResource();
  return apiResourceList(name, found);
}

function cacheable(document: unknown, headers: Headers, contentType: string): PlainReply {
  const reply = jsonReply(200, document, { 'content-type': contentType });
  const etag = `"${createHash('sha256')
    .update(reply.body as Buffer)
    .digest('hex')
    .toUpperCase()}"`;
  const more = { ...reply.headers, etag, vary: 'Accept' };
  if (headers['if-none-match'] === etag)
    return { is: 'plain', status: 304, headers: { etag, vary: 'Accept' }, body: undefined };
  return { ...reply, headers: more };
}
