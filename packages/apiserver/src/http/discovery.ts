/** Serves discovery in both forms: by group and version, or aggregated in one document. */

import { createHash } from 'node:crypto';
import { parseAccept } from '@fleet/kube/negotiate.ts';
import { notAcceptable } from '@fleet/kube/status.ts';
import { compareVersions } from '../names/version-order.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { builtInResources } from '../schema/built-in.ts';
import type { Subresource } from '../schema/resource.ts';
import type { AnsweredResource } from './answered-resource.ts';
import { printedComputed } from './computed-resource.ts';
import { connectedSubresources } from './connected.ts';
import { medias, plainMedia, refuseUnrouted } from './media.ts';
import { type ApiReply, type ApiRequest, jsonReply, oneHeader } from './message.ts';
import { scaleKind } from './scale-object.ts';
import type { ServedResources } from './served-resources.ts';
import { subresourcesOf, subresourceVerbNames, verbNames } from './verbs.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const wantsAggregated = (request: ApiRequest): boolean =>
  parseAccept(oneHeader(request, 'accept')).some(
    ({ as, group, version }) => as === 'APIGroupDiscoveryList' && group === 'apidiscovery.k8s.io' && version === 'v2',
  );

/** Undefined if the path is not one of discovery. */
export function answerDiscovery(
  request: ApiRequest,
  segments: readonly string[],
  resources: ServedResources,
): ApiReply | undefined {
  const reply = documentAt(request, segments, resources);
  if (reply) refuseForms(request, segments, resources);
  return reply;
}

function documentAt(
  request: ApiRequest,
  segments: readonly string[],
  resources: ServedResources,
): ApiReply | undefined {
  const [root, group, version, ...rest] = segments;
  if (rest.length > 0 || (root !== 'api' && root !== 'apis')) return undefined;
  const kinds = discovered(resources);
  if (root === 'api') {
    if (group === undefined)
      return wantsAggregated(request) ? aggregatedReply(kinds, true) : jsonReply(200, coreVersions(request));
    return version === undefined && group === 'v1' ? resourcesReply(kinds, '', 'v1') : undefined;
  }
  if (group === undefined) return wantsAggregated(request) ? aggregatedReply(kinds, false) : groupsReply(kinds);
  if (version !== undefined) return resourcesReply(kinds, group, version);
  const found = groupsOf(kinds).find(({ name }) => name === group);
  return found && jsonReply(200, { kind: 'APIGroup', apiVersion: 'v1', ...found });
}

/** Only the aggregated document has a form of its own. */
function refuseForms(request: ApiRequest, [root, group, version]: readonly string[], resources: ServedResources): void {
  if (wantsAggregated(request)) return;
  const accept = oneHeader(request, 'accept');
  const isRouted = root === 'api' || (version !== undefined && resources.hasOwnVersion(group!, version));
  if (isRouted) refuseUnrouted(accept, medias);
  if (!plainMedia(accept)) throw notAcceptable(medias);
}

/** Virtual resources have these additional fields. */
interface Discovered extends PrintedKind {
  answered?: readonly AnsweredResource[];
  connected?: readonly Subresource[];
  isKept?: boolean;
}

/** Lets clients detect that the stored version has changed. */
const storageVersionHash = ({ stored, group, version, kind }: Discovered): string =>
  createHash('sha256')
    .update(`${stored?.group ?? group}/${version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');

/** Groups in Kubernetes' order, then those of CRDs. */
function placeOf({ group, version, resource }: Discovered): number {
  const known = builtInResources();
  const exact = known.findIndex((one) => one.group === group && one.version === version && one.name === resource);
  return exact < 0 ? known.length : exact;
}

function discovered(resources: ServedResources): Discovered[] {
  const answered = [...resources.answered];
  const announced = resources.all.filter(({ printed }) => printed.isAnnounced?.() ?? true);
  const under = (printed: PrintedKind) =>
    answered.filter(
      ({ at }) =>
        at.subresource &&
        at.group === printed.group &&
        at.version === printed.version &&
        at.resource === printed.resource,
    );
  const all: Discovered[] = [
    ...announced.map(({ printed }) => ({
      ...printed,
      answered: under(printed),
      connected: resources.runsPods ? connectedSubresources(printed) : [],
      isKept: true,
    })),
    ...answered.flatMap(({ at, kind }) => (at.subresource ? [] : [{ ...kind, verbs: ['create'] }])),
    ...[...resources.computed].map(({ kind }) => printedComputed(kind)),
  ];
  return all.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/** The address by which this client reached the server. */
const coreVersions = (request: ApiRequest) => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: oneHeader(request, 'host') ?? '' }],
});

const groupsOf = (kinds: readonly Discovered[]) => {
  const groups = Map.groupBy(
    kinds.filter(({ group }) => group !== ''),
    ({ group }) => group,
  );
  return [...groups].map(([name, members]) => {
    const names = [...new Set(members.map(({ version }) => version))];
    // Built-in versions keep their order.
    if (members.some(({ listKind }) => listKind)) names.sort(compareVersions);
    const versions = names.map((version) => ({
      groupVersion: `${name}/${version}`,
      version,
    }));
    return { name, versions, preferredVersion: versions[0] };
  });
};

const groupsReply = (kinds: readonly Discovered[]): ApiReply =>
  jsonReply(200, { kind: 'APIGroupList', apiVersion: 'v1', groups: groupsOf(kinds) });

function resourcesReply(kinds: readonly Discovered[], group: string, version: string): ApiReply | undefined {
  const served = kinds.filter((kind) => kind.group === group && kind.version === version);
  if (served.length === 0) return undefined;
  const resources = served.flatMap((printed) => {
    const { resource, singular, namespaced, kind, shortNames, categories } = printed;
    return [
      {
        name: resource,
        singularName: singular,
        namespaced,
        kind,
        verbs: verbNames(printed),
        ...(shortNames ? { shortNames } : {}),
        ...(categories ? { categories } : {}),
        ...(printed.isKept ? { storageVersionHash: storageVersionHash(printed) } : {}),
      },
      ...subresourcesIn(printed).map(({ name, kind: own, verbs, isOwnKind }) => ({
        name: `${resource}/${name}`,
        singularName: '',
        namespaced,
        ...(isOwnKind ? { group: own.group, version: own.version } : {}),
        kind: own.kind,
        verbs,
      })),
    ];
  });
  const groupVersion = group ? `${group}/${version}` : version;
  // The oldest of these documents has no apiVersion.
  const own = group ? { apiVersion: 'v1' } : {};
  return jsonReply(200, { kind: 'APIResourceList', ...own, groupVersion, resources });
}

function aggregatedReply(kinds: readonly Discovered[], isCore: boolean): ApiReply {
  const groups = Map.groupBy(
    kinds.filter(({ group }) => (group === '') === isCore),
    ({ group }) => group,
  );
  const items = [...groups].map(([name, members]) => ({
    metadata: name ? { name } : {},
    versions: [...Map.groupBy(members, ({ version }) => version)].map(([version, served]) => ({
      version,
      resources: served.map(discoveryOf),
      freshness: 'Current',
    })),
  }));
  return {
    ...jsonReply(200, { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items }),
    headers: { 'content-type': aggregated, vary: 'Accept' },
  };
}

type Kind = Pick<ResourceKind, 'group' | 'version' | 'kind'>;

const kindOf = ({ group, version, kind }: Kind): Kind => ({ group, version, kind });

interface DiscoveredSubresource {
  name: string;
  kind: Kind;
  /** The kind is of another group, or of one that only this server has. */
  isOwnKind: boolean;
  verbs: readonly string[];
}

/** Sorted by name, as in kube-apiserver. */
function subresourcesIn(printed: Discovered): DiscoveredSubresource[] {
  const { group, version, answered = [], connected = [] } = printed;
  const all: DiscoveredSubresource[] = [
    ...subresourcesOf(printed).map((name) => ({
      name,
      kind: name === 'scale' ? scaleKind : printed,
      isOwnKind: name === 'scale',
      verbs: subresourceVerbNames(name),
    })),
    ...answered.map(({ at, kind }) => ({
      name: at.subresource!,
      kind,
      isOwnKind: kind.group !== '',
      verbs: ['create'],
    })),
    ...connected.map(({ name, kind, verbs }) => ({ name, kind: { group, version, kind }, isOwnKind: false, verbs })),
  ];
  return all.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

function discoveryOf(printed: Discovered) {
  const { resource, singular, namespaced, shortNames, categories } = printed;
  const responseKind = kindOf(printed);
  const subresources = subresourcesIn(printed).map(({ name, kind, verbs }) => ({
    subresource: name,
    responseKind: kindOf(kind),
    verbs,
  }));
  return {
    resource,
    responseKind,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: verbNames(printed),
    ...(shortNames ? { shortNames } : {}),
    ...(categories ? { categories } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
}
