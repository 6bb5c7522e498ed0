/**
 * The vanilla view over one cluster, by suffixed name (URL-1, NAME-2): `x.clusterspace.m1` in paths, in bodies and in
 * `metadata.name=`; lists and watches are merged ones. What cannot carry a name is asked by the query parameter instead.
 */
import type { Answer, Request } from '../request.ts';
import type { View } from '../view.ts';
import { type Address, extended, readAddress } from './address.ts';
import { rewriteBody } from './body-text.ts';
import { bookmarkShown } from './bookmark.ts';
import { acceptingJson } from './json-answers.ts';
import { inCluster, isInCluster, isWatch, ownVersions } from './one-place.ts';
import { type AskedByName, shownByName } from './suffixed-name-answer.ts';
import { versionMap, versionOf } from './version-map.ts';
import { selectors, withLabel } from './virtual-label.ts';

const names = /^(metadata\/(name|generateName|ownerReferences\/\d+\/name)|(involvedObject|regarding)\/name)$/;
const versions = /^(metadata|preconditions)\/resourceVersion$/;

/** `others`: clusters that are in every merged answer, too, and have nothing of what is asked for. */
export function suffixedNameView(cluster: string, others: readonly string[] = []): View {
  const suffix = `.clusterspace.${cluster}`;
  const asked = new WeakMap<Request, AskedByName>();

  /** A version as merged lists give it; other texts are no versions. One that can be nobody's is asked of all. */
  const merged = (version: string): string => {
    if (!/^[1-9]\d*$/.test(version)) return version;
    return versionMap(BigInt(version) < 2n ** 64n ? [cluster] : [cluster, ...others], version);
  };

  const own = (version: string): string => versionOf(version, cluster) ?? version;

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

  const chosen = (request: Request): Request =>
    withParameter(request, 'labelSelector', (selector) => `${selector},clusterspace=${cluster}`);

  const collection = (request: Request): Request => {
    if (request.method === 'GET') return selected(request);
    if (request.method === 'POST' && bodyName(request) !== undefined) return withSuffixes(request);
    const narrowed = chosen(request);
    return request.method === 'DELETE' && narrowed !== request ? narrowed : inCluster(request, cluster);
  };

  const selected = (request: Request): Request => {
    const one = withParameter(request, 'fieldSelector', (selector) =>
      selector.replace(/(^|,)metadata\.name=([^,]+)/, `$1metadata.name=$2${suffix}`),
    );
    if (one !== request) return { ...one, query: ownVersions(one.query, cluster) };
    const many = withParameter(request, 'resourceVersion', merged);
    if (!isWatch(request)) return many;
    // Those with a selector choose the cluster, the others see it among all. A version of all is not one of the chosen (RV-6).
    const narrowed = chosen(many);
    return narrowed === many ? many : withParameter(narrowed, 'resourceVersion', (version) => merged(own(version)));
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
    backEvent: (line, request) => bookmarkShown(back(line, request)),
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
function withParameter(request: Request, parameter: string, change: (value: string) => string): Request {
  const query = request.query.map(([key, value]) => [key, key === parameter ? change(value) : value] as const);
  return query.every(([, value], at) => value === request.query[at]?.[1]) ? request : { ...request, query };
}
