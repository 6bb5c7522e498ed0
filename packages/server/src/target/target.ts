/** A target: what a request asks, where it goes, and how its answer is shown. After this folder nobody looks at the URL. */

import type { RequestBody } from '@fleet/kube/request-body.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { ClusterAnnotation } from './body-places.ts';
import type { Mention } from './mention.ts';
import type { Registrations } from './registered.ts';

export type ClusterName = string;

/** The clusterspace that means the control plane. */
export const karmada = 'karmada';

export type Place =
  /** The product itself: health, metrics, discovery of a merged view. */
  | { at: 'here' }
  | { at: 'one'; cluster: ClusterName }
  | { at: 'many'; clusters: ManyClusters }
  /** The one member that has the named object. A list by name that none or several have is a merged list, shown so. */
  | { at: 'found'; otherwise?: View }
  /** The template in the control plane: with federation, what is named without a cluster (NAME-6). */
  | { at: 'template' }
  /** A question about rights, put to these members. */
  | ({ at: 'review' } & Reviewed);

/** Which members: all, these, or all but these. */
export interface ManyClusters {
  only?: readonly ClusterName[];
  except?: readonly ClusterName[];
}

/** What a question about rights needs before it counts (AUTHZ-4). */
export interface Reviewed {
  is: 'access' | 'rules';
  clusters: ManyClusters;
  /** Of these, only the ones in which what it asks about is registered. */
  among?: readonly ClusterName[];
  /** What it asks about, and the right that reaching a member with it needs. */
  verbs: readonly { verb: string; right: Right }[];
  /** Whom it is about. Undefined: who asks. */
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

/** How names come back: as they were asked for (NAME-4). */
export interface View {
  names: 'plain' | 'name-suffixed' | 'namespace-suffixed';
  /** Each object says beside its plain name which cluster it is of, by this annotation (LIST-6, CACHE-9). */
  annotated?: ClusterAnnotation;
  /** Objects that are found, and events of merged watches, carry the map of all clusters as their version (RV-4). */
  versions?: 'maps';
  /** A list of the pods that a workload selects would go to all clusters: its selector says which is its own (NAME-11). */
  narrowsSelectors?: true;
  /** A user whom every member refuses is told that there is no such thing (ERR-3). */
  hidesRefusals?: true;
}

export type Ask = ({ is: 'resource' } & ResourceRequest) | { is: 'path'; path: string };

/** The right that reaching a member needs in the control plane (AUTHZ-2), beside what the member itself decides. */
export interface Right {
  resource: 'clusters/proxy' | 'clusterspaces' | 'proxying/proxy' | 'search';
  /** Of what it is a right to; undefined: of the cluster. */
  name?: string;
  verb: string;
  /** A second verb that is needed, too. */
  also?: 'create';
}

/** What goes to an upstream, as strings that were checked once and are sent as they are. */
export interface Wire {
  method: string;
  path: string;
  /** Without `?`; the product's own parameters are taken out. */
  query: string;
  /** The URL ends in a `?` that nothing follows: a difference to whoever signs or compares URLs. */
  bareMark?: true;
}

/** Query parameters that speak to the product (URL-9). */
export interface Wishes {
  /** `partial=true|false`: whether a list may be shorter when a member is unreachable (LIST-4). */
  partial?: boolean | undefined;
  /** `fresh=true`: a member whose last known objects are all there is counts as missing (CACHE-12). */
  fresh?: boolean | undefined;
  /** `consistent=true`: nothing from the cache (CACHE-7). */
  consistent?: boolean | undefined;
}

export interface ParsedTarget {
  ask: Ask;
  place: ParsedPlace;
  view: View;
  right: Right;
  wire: Wire;
  wishes: Wishes;
  /** Where the product is asked itself: about the whole fleet, its members alone, or the control plane and what is registered. */
  about?: 'fleet' | 'members' | 'aggregation';
  /** Only clusters count in which a ResourceRegistry has the resource (CACHE-7). */
  registered?: true;
  /** The control plane answers only because no ResourceRegistry has the resource: a watch ends when one has (CACHE-4). */
  unregistered?: true;
  /** With federation: the control plane's objects are shown beside those of members (NAME-5), and have the plain names (NAME-6). */
  templates?: true;
  /** Members are not asked for objects: what is not in the cache is missing (CACHE-15). */
  cacheOnly?: true;
  /** Undefined where nothing of the path belongs to a program behind the member's proxy. */
  proxied?: Proxied;
  /** Which clusters the request has named so far; its body may name one too (NAME-2). Undefined: its body is not read. */
  mentions?: readonly Mention[];
}

/** The path up to a proxy to a pod, service or node: as the member sees it, and as the client wrote it. */
export interface Proxied {
  inner: string;
  outer: string;
  /** What names the cluster in the client's query; empty where nothing does. */
  query: string;
}

/** As much as log, limits and deadlines need; where it goes may stand in a body that nobody has read yet. */
export type AskedTarget = Pick<ParsedTarget, 'ask' | 'place' | 'wire'>;

export interface Target extends Omit<ParsedTarget, 'mentions'> {
  place: Place;
  /** Undefined: it goes on as it comes, unread. */
  body?: TargetBody;
}

/** What is left of a target once access was decided: where it goes is what was granted, not what was asked for. */
export type PlacelessTarget = Omit<Target, 'place' | 'right'>;

/** A request's body as it came. */
export interface RawBody {
  bytes: Buffer;
  contentType: string | undefined;
}

export interface TargetBody extends RawBody {
  /** Undefined: it goes on as it came, whatever it is. */
  read?: RequestBody;
  /** The name that named the cluster: as written, and as the cluster is to see it. */
  renamed?: { text: string; name: string };
}

/** What the meaning of a URL depends on. */
export interface Known {
  registrations: Registrations;
  /** Whether federation is on. */
  templates: boolean;
}

/** A URL family recognises its own URLs; `undefined` means: not mine. */
export interface UrlFamily {
  name: string;
  parse(request: RawRequest, known: Known): ParsedTarget | undefined;
}

/** The request line, cut once: nothing decoded yet. */
export interface RawRequest {
  method: string;
  /** Begins with `/`; no query. */
  path: string;
  query: string;
  bareMark?: true;
}

export const wireUrl = ({ path, query, bareMark }: Wire): string => (query || bareMark ? `${path}?${query}` : path);
