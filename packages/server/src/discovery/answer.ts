/** Answers requests for the discovery documents of the merged views. */

import { createHash } from 'node:crypto';
import type { Headers } from '@fleet/client/upstream.ts';
import { noSuchResource } from '@fleet/kube/status.ts';
import type { PlainReply } from '../http/message.ts';
import type { Discovery, MergedView, Served } from './discovery.ts';
import { aggregated, aggregatedVersion, apiGroup, apiGroupList, apiResourceList, apiVersions } from './forms.ts';

/** Answers cached per union: most clients request the same two. */
const made = new WeakMap<Served, Map<string, Answer>>();

interface Answer {
  body: Buffer;
  etag: string;
  contentType: string;
}

/** Undefined: not a discovery path. */
export async function answerDiscovery(
  discovery: Discovery,
  view: MergedView,
  path: string,
  headers: Headers,
): Promise<PlainReply | undefined> {
  const segments = path.slice(1).split('/');
  if (segments[0] !== 'api' && segments[0] !== 'apis') return undefined;
  const served = await discovery.union(view);
  const requested = aggregatedVersion([headers['accept'] ?? []].flat().join(',') || undefined);
  const form = segments.length === 1 ? requested : undefined;
  const answers = made.get(served) ?? new Map<string, Answer>();
  made.set(served, answers);
  const key = `${path} ${form}`;
  const answer = answers.get(key) ?? answerOf(documentOf(served, segments, form), form);
  answers.set(key, answer);
  return cacheable(answer, headers);
}

function documentOf(served: Served, segments: string[], form: 'v2' | 'v2beta1' | undefined): unknown {
  if (!form) return legacyDocument(served, segments);
  return aggregated(segments[0] === 'api' ? served.core : served.groups, form);
}

function answerOf(document: unknown, form: 'v2' | 'v2beta1' | undefined): Answer {
  const body = Buffer.from(`${JSON.stringify(document)}\n`);
  const etag = `"${createHash('sha256').update(body).digest('hex').toUpperCase()}"`;
  const contentType = form
    ? `application/json;g=apidiscovery.k8s.io;v=${form};as=APIGroupDiscoveryList`
    : 'application/json';
  return { body, etag, contentType };
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

function cacheable({ body, etag, contentType }: Answer, headers: Headers): PlainReply {
  const tag = { etag, vary: 'Accept' };
  if (headers['if-none-match'] === etag) return { is: 'plain', status: 304, headers: tag, body: undefined };
  return { is: 'plain', status: 200, headers: { 'content-type': contentType, ...tag }, body };
}
