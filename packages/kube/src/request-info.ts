/** Parses what a Kubernetes path requests, as kube-apiserver's RequestInfo resolver does. */

export type Verb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  | 'proxy'
  | 'unknown';

export interface ResourceRequest {
  verb: Verb;
  group: string;
  version: string;
  namespace: string | undefined;
  resource: string;
  name: string | undefined;
  subresource: string | undefined;
  /** The path after the subresource, as in `pods/x/proxy/some/path`. */
  rest: readonly string[];
}

const verbOfMethod: ReadonlyMap<string, Verb> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

export const verbFor = (method: string): Verb => verbOfMethod.get(method) ?? 'unknown';

/** Subresources of a Namespace object itself; anything else after `namespaces/{ns}` is in that namespace. */
const namespaceSubresources = new Set(['status', 'finalize']);

const truthy = (value: string | null): boolean => value !== null && value.toLowerCase() !== 'false' && value !== '0';

/** `metadata.name=x` in a field selector: such a list or watch is authorised by name. */
function selectedName(query: URLSearchParams): string | undefined {
  const terms = (query.get('fieldSelector') ?? '').split(',');
  const names = terms.map((term) => /^metadata\.name==?([^=!/%\\]+)$/.exec(term.trim())?.[1]);
  return names.find((name) => name !== undefined && name !== '.' && name !== '..');
}

/**
 * Reads `segments` (already decoded) of `/api/v1/…` or `/apis/{g}/{v}/…`.
 * Returns undefined for a path that names no resource: discovery, health, OpenAPI.
 */
export function readRequestInfo(
  method: string,
  segments: readonly string[],
  query: URLSearchParams,
): ResourceRequest | undefined {
  const [root, ...below] = segments;
  const core = root === 'api';
  if (!core && root !== 'apis') return undefined;
  const [group, version, ...rest] = core ? ['', ...below] : below;
  let parts = rest;
  if (group === undefined || version === undefined || parts.length === 0) return undefined;

  let verb = verbFor(method);
  let namespace: string | undefined;
  if (parts[0] === 'watch' || parts[0] === 'proxy') {
    if (parts.length < 2) return undefined;
    verb = parts[0];
    parts = parts.slice(1);
  }
  if (parts[0] === 'namespaces' && parts.length > 1) {
    namespace = parts[1];
    if (parts.length > 2 && !namespaceSubresources.has(parts[2]!)) parts = parts.slice(2);
  }
  const [resource, name, ...under] = parts as [string, ...string[]];
  // The old `/proxy/…` paths have no subresources: everything after the name is the proxied path.
  const subresource = verb === 'proxy' ? undefined : under[0];
  const tail = verb === 'proxy' ? under : under.slice(1);
  if (name === undefined && verb === 'get') verb = truthy(query.get('watch')) ? 'watch' : 'list';
  if (name === undefined && verb === 'delete') verb = 'deletecollection';
  return {
    verb,
    group,
    version,
    namespace,
    resource,
    name:
      name ?? (verb === 'list' || verb === 'watch' || verb === 'deletecollection' ? selectedName(query) : undefined),
    subresource,
    rest: tail,
  };
}
