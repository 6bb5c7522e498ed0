/** The target of a request: what it requests, where it goes, and how the answer is shown. After this folder no code reads the URL. */

import type { RequestBody } from '@fleet/kube/request-body.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { ClusterAnnotation } from './body-places.ts';
import type { Mention } from './mention.ts';
import type { Registrations } from './registered.ts';

export type ClusterName = string;

/** The clusterspace of the control plane. */
export const karmada = 'karmada';

export type Place =
  /** The product itself: health, metrics, discovery of a merged view. */
  | { at: 'here' }
  | { at: 'one'; cluster: ClusterName }
  | { at: 'many'; clusters: ManyClusters }
  /** The one member that has the named object. A list by name that no member, or several, have is merged, in this view. */
  | { at: 'found'; otherwise?: View }
  /** The template in the control plane: with federation, an object whose cluster the request does not name (NAME-6). */
  | { at: 'template' }
  /** An access review that is sent to these members. */
  | ({ at: 'review' } & Reviewed);

/** Which members: all, these, or all but these. */
export interface ManyClusters {
  only?: readonly ClusterName[];
  except?: readonly ClusterName[];
}

/** What is required before an access review is sent to members (AUTHZ-4). */
export interface Reviewed {
  is: 'access' | 'rules';
  clusters: ManyClusters;
  /** Limited to members in which the reviewed resource is registered. */
  among?: readonly ClusterName[];
  /** The reviewed verbs, and the permission that each needs to reach a member. */
  verbs: readonly { verb: string; permission: RequiredPermission }[];
  /** The subject of the review. Undefined: the requesting user. */
  subject?: Subject;
}

export interface Subject {
  name: string;
  uid: string | undefined;
  groups: readonly string[];
  extra: Readonly<Record<string, readonly string[]>>;
}

/** A create by a vanilla URL names its cluster in the body. */
export type ParsedPlace = Place | { at: 'in-body' };

/** How an answer is shown: names have the form in which they were requested (NAME-4). */
export interface View {
  names: 'plain' | 'name-suffixed' | 'namespace-suffixed';
  /** The annotation with which each object names its cluster beside its plain name (LIST-6, CACHE-9). */
  annotated?: ClusterAnnotation;
  /** Found objects, and events of merged watches, have the map of all clusters as their version (RV-4). */
  versions?: 'maps';
  /** A list of a workload's pods would include other clusters, so its selector is narrowed to its own (NAME-11). */
  narrowsSelectors?: true;
  /** A user whom every member refuses gets the error of a resource that does not exist (ERR-3). */
  hidesRefusals?: true;
}

export type Ask = ({ is: 'resource' } & ResourceRequest) | { is: 'path'; path: string };

/** The permission in the control plane that reaching a member requires (AUTHZ-2), besides the member's own decision. */
export interface RequiredPermission {
  resource: 'clusters/proxy' | 'clusterspaces' | 'proxying/proxy' | 'search';
  /** The resource of the permission; undefined: the cluster. */
  name?: string;
  verb: string;
  /** A second verb that is required, too. */
  also?: 'create';
}

/** The request that is sent to an upstream, as strings that were checked once and are sent unchanged. */
export interface Wire {
  method: string;
  path: string;
  /** Without `?` and without the product's own parameters. */
  query: string;
  /** The URL ends with a `?` and an empty query, which matters if URLs are signed or compared. */
  bareMark?: true;
}

/** Query parameters for the product (URL-9). */
export interface RequestOptions {
  /** `partial=true|false`: whether a list may be incomplete if a member is unreachable (LIST-4). */
  partial?: boolean | undefined;
  /** `fresh=true`: an unreachable member counts as missing, also if its last known objects are cached (CACHE-12). */
  fresh?: boolean | undefined;
  /** `consistent=true`: nothing from the cache (CACHE-7). */
  consistent?: boolean | undefined;
}

export interface ParsedTarget {
  ask: Ask;
  place: ParsedPlace;
  view: View;
  permission: RequiredPermission;
  wire: Wire;
  requestOptions: RequestOptions;
  /** The scope of the product's own answers: the whole fleet, its members alone, or the control plane with the registered resources. */
  about?: 'fleet' | 'members' | 'aggregation';
  /** Limited to clusters in which a ResourceRegistry has the resource (CACHE-7). */
  registered?: true;
  /** The control plane answers only because no ResourceRegistry has the resource: a watch ends when one has (CACHE-4). */
  unregistered?: true;
  /** With federation: the control plane's objects are listed beside those of members (NAME-5), under plain names (NAME-6). */
  templates?: true;
  /** Members are not asked for objects: what is not in the cache is missing (CACHE-15). */
  cacheOnly?: true;
  /** Undefined if no part of the path belongs to a program behind the member's proxy. */
  proxied?: Proxied;
  /** The clusters that the request has named so far. Its body may name one, too (NAME-2). Undefined: its body is not read. */
  mentions?: readonly Mention[];
}

/** The path up to a proxy to a pod, service or node: as the member gets it, and as the client wrote it. */
export interface Proxied {
  inner: string;
  outer: string;
  /** The parameter that names the cluster in the client's query; empty if there is none. */
  query: string;
}

/** The part that log, limits and deadlines need. The place may still depend on a body that was not read yet. */
export type AskedTarget = Pick<ParsedTarget, 'ask' | 'place' | 'wire'>;

export interface Target extends Omit<ParsedTarget, 'mentions'> {
  place: Place;
  /** Undefined: the body is streamed, unread. */
  body?: TargetBody;
}

/** The rest of a target after authorisation: later steps use the granted places, not the requested one. */
export type PlacelessTarget = Omit<Target, 'place' | 'permission'>;

/** A request's body as received. */
export interface RawBody {
  bytes: Buffer;
  contentType: string | undefined;
}

export interface TargetBody extends RawBody {
  /** Undefined: it is sent unchanged, whatever it is. */
  read?: RequestBody;
  /** The name that names the cluster: as the client wrote it, and as the cluster gets it. */
  renamed?: { text: string; name: string };
}

/** What the meaning of a URL depends on. */
export interface Known {
  registrations: Registrations;
  /** Whether federation is on. */
  templates: boolean;
}

/** Parses the URLs of one family; `undefined` for other URLs. */
export interface UrlFamily {
  name: string;
  parse(request: RawRequest, known: Known): ParsedTarget | undefined;
}

/** The request line, split and not decoded. */
export interface RawRequest {
  method: string;
  /** Begins with `/`; without the query. */
  path: string;
  query: string;
  bareMark?: true;
}

export const wireUrl = ({ path, query, bareMark }: Wire): string => (query || bareMark ? `${path}?${query}` : path);
