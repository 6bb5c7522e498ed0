/** Aggregated discovery (`apidiscovery.k8s.io/v2`): what a server serves, in one document. */

export interface ResourceDiscovery {
  resource: string;
  responseKind?: { group?: string; version?: string; kind?: string };
  scope: 'Namespaced' | 'Cluster';
  singularResource: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  subresources?: SubresourceDiscovery[];
}

export interface SubresourceDiscovery {
  subresource: string;
  responseKind?: { group?: string; version?: string; kind?: string };
  acceptedTypes?: unknown[];
  verbs: string[];
}

export interface VersionDiscovery {
  version: string;
  resources?: ResourceDiscovery[];
  freshness?: string;
}

export interface GroupDiscovery {
  metadata: { name?: string };
  versions?: VersionDiscovery[];
}

/** Preferred versions come first. */
export interface GroupDiscoveryList {
  items: GroupDiscovery[];
}

export const aggregatedDiscoveryAccept =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isList = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.every(isOne));
const isText = (value: unknown): boolean => typeof value === 'string';
/** These values are put into strings, which not every value allows: an object with its own `toString` may throw. */
const isTextIfAny = (value: unknown): boolean => value === undefined || value === null || isText(value);
const isKind = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (isObject(value) && [value['group'], value['version'], value['kind']].every(isTextIfAny));

const isSubresource = (one: unknown): boolean =>
  isObject(one) && isText(one['subresource']) && isList(one['verbs'], isText) && isKind(one['responseKind']);
const isResource = (one: unknown): boolean =>
  isObject(one) &&
  isText(one['resource']) &&
  Array.isArray(one['verbs']) &&
  [one['verbs'], one['shortNames'], one['categories']].every((texts) => isList(texts, isText)) &&
  [one['scope'], one['singularResource']].every(isTextIfAny) &&
  isKind(one['responseKind']) &&
  isList(one['subresources'], isSubresource);
const isVersion = (one: unknown): boolean =>
  isObject(one) && isText(one['version']) && isList(one['resources'], isResource);
const isGroup = (one: unknown): boolean =>
  isObject(one) &&
  isObject(one['metadata']) &&
  ['string', 'undefined'].includes(typeof one['metadata']['name']) &&
  isList(one['versions'], isVersion);

/** Checks only the fields that are used: one member with an invalid document must not break the merged discovery. */
export const isGroupDiscoveryList = (value: unknown): value is GroupDiscoveryList =>
  isObject(value) &&
  value['kind'] === 'APIGroupDiscoveryList' &&
  Array.isArray(value['items']) &&
  value['items'].every(isGroup);
