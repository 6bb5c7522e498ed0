/** Parses what a URL names: the resource, the clusters in suffixes and selectors, and the URL without them, as the member gets it. */

import { type ResourceRequest, readRequestInfo } from '@fleet/kube/request-info.ts';
import { stripFieldSelector } from './field-selector.ts';
import { type Choice, chosenClusters, stripLabelSelector } from './label-selector.ts';
import type { Mention } from './mention.ts';
import { decodeLoosely, rawSegments, readSegment, refuseDotSegments } from './path.ts';
import { keyOf } from './query.ts';
import { splitName } from './suffixed-name.ts';
import type { ManyClusters, RawRequest } from './target.ts';

export interface Address {
  /** Undefined for a path that names no resource. */
  info: ResourceRequest | undefined;
  /** As received, but without suffixes. */
  path: string;
  query: string;
  /** In the order in which they count. */
  mentions: Mention[];
  /** By the label `clusterspace`. */
  chosen: ManyClusters;
}

/** How many segments the product interprets: a subresource's own path (`pods/x/proxy/…`) is opaque. */
const interpretedLength = (info: ResourceRequest | undefined, raw: readonly string[]): number =>
  info === undefined ? raw.length : raw.length - info.rest.length;

function readSegments(request: RawRequest): { info: ResourceRequest | undefined; raw: string[] } {
  const { method, path, query } = request;
  refuseDotSegments(path);
  const read = (segments: readonly string[]) =>
    readRequestInfo(method, segments.map(decodeLoosely), new URLSearchParams(query));
  let raw = rawSegments(path);
  let info = read(raw);
  // A trailing slash is not a segment: kube-apiserver reads `/apis/` as `/apis`, and clients send it.
  if (raw.at(-1) === '' && !info?.rest.length) {
    raw = raw.slice(0, -1);
    info = read(raw);
  }
  for (const segment of raw.slice(0, interpretedLength(info, raw))) readSegment(segment);
  return { info, raw };
}

/** `[scheme:]name[:port]`, as the proxy subresources write names. */
export function splitProxyName(text: string): { name: string; rebuild: (name: string) => string } {
  const parts = text.split(':');
  const at = parts.length === 3 ? 1 : 0;
  return { name: parts[at] ?? '', rebuild: (name) => parts.map((part, i) => (i === at ? name : part)).join(':') };
}

export const isProxy = ({ verb, subresource }: Pick<ResourceRequest, 'verb' | 'subresource'>): boolean =>
  verb === 'proxy' || subresource === 'proxy';

/** Colons, as in names of roles, need no encoding in a path. */
const encodeSegment = (text: string): string => encodeURIComponent(text).replaceAll('%3A', ':');

interface Stripped {
  text: string;
  mention: Mention | undefined;
}

function stripName(text: string, by: 'name' | 'namespace', proxied: boolean): Stripped {
  const { name: inner, rebuild } = proxied ? splitProxyName(text) : { name: text, rebuild: (name: string) => name };
  const { name, cluster } = splitName(inner);
  return cluster === undefined ? { text, mention: undefined } : { text: rebuild(name), mention: { cluster, by, text } };
}

/** Strips one segment of the path, in place. */
function stripSegment(
  segments: string[],
  at: number | undefined,
  by: 'name' | 'namespace',
  proxied: boolean,
): Stripped | undefined {
  if (at === undefined) return undefined;
  const stripped = stripName(readSegment(segments[at]!), by, proxied);
  // `...clusterspace.m1` is no dot segment before it is stripped.
  refuseDotSegments(stripped.text);
  if (stripped.mention) segments[at] = encodeSegment(stripped.text);
  return stripped;
}

/** `/api/v1` or `/apis/{g}/{v}`, then perhaps the old prefixes `watch` and `proxy`, then `namespaces/{ns}`. */
function namespacePlace(info: ResourceRequest, raw: readonly string[]): number | undefined {
  if (info.namespace === undefined) return undefined;
  const root = decodeLoosely(raw[0]!) === 'api' ? 2 : 3;
  const place = decodeLoosely(raw[root]!) === 'namespaces' ? root + 1 : root + 2;
  // The path of a Namespace object has its name there. One below another namespace is no Kubernetes path: its cluster refuses it.
  const isOwn = info.resource === 'namespaces' && decodeLoosely(raw[place + 1] ?? '') !== 'namespaces';
  return isOwn ? undefined : place;
}

/** `/apis/{g}/{v}/watch/namespaces/{ns}/{resource}/{name}`: as far as needed to know whether there is a name. */
const mostToName = 8;

/** A name from a field selector is not in the path. */
function namePlace(request: RawRequest, info: ResourceRequest, raw: readonly string[]): number | undefined {
  const byPath = readRequestInfo(request.method, raw.slice(0, mostToName).map(decodeLoosely), new URLSearchParams());
  if (byPath?.name === undefined) return undefined;
  return raw.length - info.rest.length - (info.subresource === undefined ? 0 : 1) - 1;
}

export function readAddress(request: RawRequest): Address {
  const { info, raw } = readSegments(request);
  if (!info) return { info, path: request.path, query: request.query, mentions: [], chosen: {} };
  const segments = [...raw];
  const name = stripSegment(segments, namePlace(request, info, raw), 'name', isProxy(info));
  const namespace = stripSegment(segments, namespacePlace(info, raw), 'namespace', false);
  const { query, mentions, choices } = stripSelectors(request.query);
  return {
    info: {
      ...info,
      name: name ? name.text : info.name === undefined ? undefined : splitName(info.name).name,
      namespace: namespace ? namespace.text : info.namespace,
    },
    path: name?.mention || namespace?.mention ? `/${segments.join('/')}` : request.path,
    query,
    mentions: [...[name?.mention, namespace?.mention].filter((mention) => mention !== undefined), ...mentions],
    chosen: chosenClusters(choices),
  };
}

/** Query parameters that name no cluster are not changed. */
function stripSelectors(query: string): { query: string; mentions: Mention[]; choices: Choice[] } {
  const mentions: Mention[] = [];
  const choices: Choice[] = [];
  const pairs = query.split('&').flatMap((pair) => {
    const key = keyOf(pair);
    if (key !== 'fieldSelector' && key !== 'labelSelector') return [pair];
    const selector = new URLSearchParams(pair).get(key) ?? '';
    const stripped =
      key === 'fieldSelector' ? { ...stripFieldSelector(selector), choices: [] } : stripLabelSelector(selector);
    mentions.push(...stripped.mentions);
    choices.push(...stripped.choices);
    if (stripped.selector === selector) return [pair];
    return stripped.selector === '' ? [] : [`${key}=${encodeURIComponent(stripped.selector)}`];
  });
  return { query: pairs.join('&'), mentions, choices };
}
