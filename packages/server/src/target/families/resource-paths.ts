/** Kubernetes paths, as the vanilla family, the Fleet API and the proxy to any member share them: one place, or the merged view. */

import { type ResourceRequest, verbFor } from '@fleet/kube/request-info.ts';
import { badRequest, methodNotAllowed } from '@fleet/kube/status.ts';
import { type Address, readAddress } from '../address.ts';
import { type Mention, oneCluster } from '../mention.ts';
import { selectingByName } from '../named-watch.ts';
import { controlPlaneGroups } from '../owned-groups.ts';
import { permissionFor } from '../streams.ts';
import {
  type Ask,
  type ClusterName,
  karmada,
  type ManyClusters,
  type ParsedTarget,
  type RawRequest,
  type RequestOptions,
  type RequiredPermission,
  type View,
} from '../target.ts';

/** The properties of a family of merged views. */
export interface MergedFamily {
  /** How lists over many clusters show names. */
  lists: View;
  /** The view of an object whose cluster the request does not name. */
  found: View;
  about: 'fleet' | 'members';
  permission(method: string, ask: Ask): RequiredPermission;
  /** Lists and watches by name are merged like others: the versions in a found object are of no use in this family. */
  mergesNamed?: true;
  /** Limited to clusters in which a ResourceRegistry has the resource. */
  registered?: true;
  /** The control plane is one of the places, and has the objects whose requests name no cluster. */
  templates?: true;
}

/** The vanilla family and the Fleet API require a permission on clusterspaces, with the inner verb (AUTHZ-2). */
const clusterspaces = (method: string, ask: Ask): RequiredPermission =>
  permissionFor('clusterspaces', ask.is === 'resource' ? ask.verb : verbFor(method), ask);

const suffixedNames: MergedFamily = {
  lists: { names: 'name-suffixed' },
  found: { names: 'plain' },
  about: 'fleet',
  permission: clusterspaces,
};

/** The views with suffixed names; `templates`: whether federation is on. */
export const suffixedFamily = (templates: boolean): MergedFamily =>
  templates ? { ...suffixedNames, templates } : suffixedNames;

/** Subresources whose request bodies, if any, are streams. */
const streams = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

const hasObjectBody = ({ verb, subresource }: ResourceRequest): boolean =>
  ['create', 'update', 'patch', 'delete', 'deletecollection'].includes(verb) && !streams.has(subresource ?? '');

function target(
  request: RawRequest,
  requestOptions: RequestOptions,
  { info, path, query, mentions }: Address,
  { permission, registered, templates }: Pick<MergedFamily, 'permission' | 'registered' | 'templates'>,
  where: Pick<ParsedTarget, 'place' | 'view'>,
): ParsedTarget {
  const ask: Ask = info ? { is: 'resource', ...info } : { is: 'path', path };
  return {
    ask,
    ...where,
    permission: permission(request.method, ask),
    wire: { method: request.method, path, query },
    requestOptions,
    ...(registered ? { registered } : {}),
    ...(templates ? { templates } : {}),
    ...(info && hasObjectBody(info) ? { mentions } : {}),
  };
}

/** The first place that names the cluster decides what is suffixed in the answer (NAME-4). */
function askedView(mentions: readonly Mention[], otherwise: View): View {
  const by = mentions.find((mention) => mention.by !== 'clusterspace')?.by;
  if (by === 'name' || by === 'selected-name') return { names: 'name-suffixed' };
  return by === 'namespace' ? { names: 'namespace-suffixed' } : otherwise;
}

const isChosen = (cluster: ClusterName, { only, except = [] }: ManyClusters): boolean =>
  (only?.includes(cluster) ?? true) && !except.includes(cluster);

/** Refuses a label `clusterspace` that excludes the named cluster. */
function refuseUnchosen(cluster: ClusterName, chosen: ManyClusters): void {
  if (isChosen(cluster, chosen)) return;
  throw badRequest(`labelSelector: the label clusterspace excludes "${cluster}", which the request names`);
}

/** The request goes to the place in its URL. */
export function onePlace(
  request: RawRequest,
  requestOptions: RequestOptions,
  cluster: ClusterName,
  permission: MergedFamily['permission'] = clusterspaces,
  address = readAddress(request),
): ParsedTarget {
  const mentions: Mention[] = [{ cluster, by: 'clusterspace', text: cluster }, ...address.mentions];
  oneCluster(mentions);
  refuseUnchosen(cluster, address.chosen);
  const where = { place: { at: 'one', cluster }, view: askedView(mentions, { names: 'plain' }) } as const;
  return target(request, requestOptions, { ...address, mentions }, { permission }, where);
}

/** A cluster in a selector, unless it selects by name, only narrows the merged view (RV-1). */
const isPlace = ({ by }: Mention): boolean => by !== 'selector';

/** Unregistered namespaces are left out of merged views only: one cluster's answer is passed on unchanged (CACHE-7). */
const isOverNamespaces = ({ verb, namespace }: ResourceRequest): boolean =>
  namespace === undefined && (verb === 'list' || verb === 'watch');

/** Whether more than one place may be read: an object that nobody has is watched in all of them. */
const isMerged = ({ at }: ParsedTarget['place']): boolean => at === 'many' || at === 'found';

/** The view over all members: lists and watches are merged, a named request goes to the cluster in its name. */
export function merged(
  request: RawRequest,
  requestOptions: RequestOptions,
  family: MergedFamily,
  address = readAddress(request),
): ParsedTarget {
  const { info, mentions, chosen } = address;
  const to = (where: Pick<ParsedTarget, 'place' | 'view'>) =>
    target(request, requestOptions, isMerged(where.place) ? selectingByName(address) : address, family, where);
  if (!info) return here(request, requestOptions, family);

  const cluster = oneCluster(mentions);
  if (cluster !== undefined) refuseUnchosen(cluster, chosen);
  if (cluster !== undefined && mentions.some(isPlace)) {
    if (family.registered && isOverNamespaces(info) && cluster !== karmada) {
      return to({ place: { at: 'many', clusters: { only: [cluster] } }, view: askedView(mentions, family.lists) });
    }
    return to({ place: { at: 'one', cluster }, view: askedView(mentions, family.found) });
  }
  if (controlPlaneGroups.has(info.group) && isChosen(karmada, chosen)) {
    return to({ place: { at: 'one', cluster: karmada }, view: { names: 'plain' } });
  }
  const clusters = cluster === undefined ? chosen : { only: [cluster] };
  const byPlainName = (): ParsedTarget => {
    if (!family.templates) return to({ place: { at: 'found' }, view: { ...family.found, narrowsSelectors: true } });
    refuseUnchosen(karmada, chosen);
    return to({ place: { at: 'template' }, view: family.found });
  };
  switch (info.verb) {
    case 'list':
    case 'watch':
      if (info.name !== undefined && cluster === undefined && chosen.only === undefined && !family.mergesNamed) {
        if (!family.templates) {
          return to({
            place: { at: 'found', otherwise: family.lists },
            view: { ...family.found, narrowsSelectors: true },
          });
        }
        if (isChosen(karmada, chosen)) return byPlainName();
      }
      return to({ place: { at: 'many', clusters }, view: family.lists });
    case 'deletecollection': {
      const place = collectionPlace(clusters);
      const mention: Mention = { cluster: place.cluster, by: 'selector', text: `clusterspace=${place.cluster}` };
      return { ...to({ place, view: family.lists }), mentions: [...mentions, mention] };
    }
    case 'create':
      if (info.name === undefined) return to({ place: { at: 'in-body' }, view: family.found });
      return byPlainName();
    default:
      if (info.name === undefined) throw methodNotAllowed(`${request.method} needs the name of one object`);
      return byPlainName();
  }
}

/** The product's own paths. A trailing slash is not a segment. */
export function here(
  request: RawRequest,
  requestOptions: RequestOptions,
  { about, permission }: Pick<ParsedTarget, 'about'> & Pick<MergedFamily, 'permission'>,
): ParsedTarget {
  const path = request.path === '/' ? '/' : request.path.replace(/\/$/, '');
  const ask: Ask = { is: 'path', path };
  return {
    ask,
    place: { at: 'here' },
    view: { names: 'plain' },
    permission: permission(request.method, ask),
    wire: { method: request.method, path, query: request.query },
    requestOptions,
    ...(about ? { about } : {}),
  };
}

/** URL-12: a request that deletes many objects must name its one cluster. */
function collectionPlace({ only }: ManyClusters): { at: 'one'; cluster: ClusterName } {
  const [cluster, ...others] = only ?? [];
  if (cluster !== undefined && others.length === 0) return { at: 'one', cluster };
  throw methodNotAllowed(
    'deletecollection over many clusters is not supported, as it could not be undone: name one cluster, ' +
      'as in /clusterspaces/{cluster}, clusterspace={cluster} or a namespace "{namespace}.clusterspace.{cluster}"',
  );
}
