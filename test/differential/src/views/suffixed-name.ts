/**
 * The vanilla view over one cluster, by suffixed name (URL-1, NAME-2): `x.clusterspace.m1` in paths, in bodies and in
 * `metadata.name=`; lists are merged ones. What cannot carry a name is asked by the query parameter instead, and so are
 * watches, which are not served over many clusters.
 */
import type { Answer, Request } from '../request.ts';
import type { View } from '../view.ts';
import { type Address, extended, readAddress } from './address.ts';
import { rewriteBody } from './body-text.ts';
import { acceptingJson } from './json-answers.ts';
import { inCluster, isInCluster, isWatch, ownVersions } from './one-place.ts';
import { type AskedByName, shownByName } from './suffixed-name-answer.ts';
import { versionMap } from './version-map.ts';
import { selectors, withLabel } from './virtual-label.ts';

const names = /^(metadata\/(name|generateName|ownerReferences\/\d+\/name)|(involvedObject|regarding)\/name)$/;
const versions = /^(metadata|preconditions)\/resourceVersion$/;

export function suffixedNameView(cluster: string): View {
  const suffix = `.clusterspace.${cluster}`;
  const asked = new WeakMap<Request, AskedByName>();

  /** A version as merged lists give it; other texts are no versions. */
  const merged = (version: string): string => (/^[1-9]\d*$/.test(version) ? versionMap(cluster, version) : version);

  const withSuffixes = (request: Request): Request =>
    rewriteBody(request, (path, text) => {
      if (names.test(path) && text !== '') return text + suffix;
      // the version of a merged list is as good as the object's own (RV-5)
      return versions.test(path) ? merged(text) : text;
    });

  const named = (request: Request, address: Address, at: number): Request => {
    const sent = withSuffixes({ ...request, path: extended(address, at, suffix) });
    const place = address.subresource === undefined ? selectors[address.resource] : undefined;
    const isShown = sent.method === 'PUT' && sent.body !== undefined && place !== undefined;
    return isShown ? { ...sent, body: withLabel(sent.body, cluster, place) } : sent;
  };

  const collection = (request: Request): Request => {
    if (request.method === 'GET') return selected(request);
    if (request.method === 'POST' && bodyName(request) !== undefined) return withSuffixes(request);
    const chosen = withParameter(request, 'labelSelector', (selector) => `${selector},clusterspace=${cluster}`);
    return request.method === 'DELETE' && chosen !== request ? chosen : inCluster(request, cluster);
  };

  const selected = (request: Request): Request => {
    const one = withParameter(request, 'fieldSelector', (selector) =>
      selector.replace(/(^|,)metadata\.name=([^,]+)/, `$1metadata.name=$2${suffix}`),
    );
    if (one !== request) return { ...one, query: ownVersions(one.query, cluster) };
    if (isWatch(request)) return inCluster(request, cluster);
    return withParameter(request, 'resourceVersion', merged);
  };

  const ask = (request: Request): Request => {
    const address = readAddress(request.path);
    if (!address) return inCluster(request, cluster);
    return address.nameAt === undefined ? collection(request) : named(request, address, address.nameAt);
  };

  const back = (text: string, request: Request): string => {
    const how = asked.get(request);
    return how ? shownByName(text, how) : text;
  };

  return {
    out(request) {
      const sent = ask(acceptingJson(request));
      const address = readAddress(request.path);
      if (!isInCluster(sent) && address) {
        const { segments, nameAt, resource, subresource } = address;
        const { name, isPrefix } = (nameAt === undefined && bodyName(request)) || {
          name: nameAt === undefined ? undefined : decoded(segments[nameAt] ?? ''),
          isPrefix: false,
        };
        const isMerged = name === undefined && request.method === 'GET' && !hasSelectedName(sent, suffix);
        const isWhole = subresource === undefined;
        asked.set(sent, { cluster, name, isPrefix, resource, isMerged, isWhole, columns: [] });
      }
      return sent;
    },
    back: (answer: Answer, request) => ({ ...answer, body: Buffer.from(back(answer.body.toString(), request)) }),
    backEvent: back,
  };
}

const hasSelectedName = ({ query }: Request, suffix: string): boolean =>
  query.some(([key, value]) => key === 'fieldSelector' && value.includes(suffix));

/** What the body calls its object, or has its name made of; undefined where it does neither. */
function bodyName(request: Request): { name: string; isPrefix: boolean } | undefined {
  let name = '';
  let prefix = '';
  rewriteBody(request, (path, text) => {
    if (path === 'metadata/name') name = text;
    if (path === 'metadata/generateName') prefix = text;
    return text;
  });
  if (name === '' && prefix === '') return undefined;
  return { name: name || prefix, isPrefix: name === '' };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The same request where the parameter is missing or the change is none. */
function withParameter(request: Request, wanted: string, change: (value: string) => string): Request {
  const query = request.query.map(([key, value]) => [key, key === wanted ? change(value) : value] as const);
  return query.every(([, value], at) => value === request.query[at]?.[1]) ? request : { ...request, query };
}
