/** Where a path names a namespace and an object, read as kube-apiserver reads it. */

export interface Address {
  readonly segments: readonly string[];
  readonly resource: string;
  readonly namespaceAt: number | undefined;
  readonly nameAt: number | undefined;
  readonly subresource: string | undefined;
}

/** Undefined for a path that names no resource. */
export function readAddress(path: string): Address | undefined {
  const segments = path.split('/').slice(1);
  const root = segments[0] === 'api' ? 2 : segments[0] === 'apis' ? 3 : segments.length;
  if (!segments[root]) return undefined;
  // a slash at the end is no resource
  const inside = segments[root] === 'namespaces' ? segments[root + 2] || undefined : undefined;
  // a namespace's own subresources stand where else a resource inside it does
  const namespaced = inside !== undefined && inside !== 'status' && inside !== 'finalize';
  const at = namespaced ? root + 2 : root;
  return {
    segments,
    resource: segments[at] ?? '',
    namespaceAt: namespaced ? root + 1 : undefined,
    nameAt: segments[at + 1] ? at + 1 : undefined,
    subresource: segments[at + 2] || undefined,
  };
}

/** The path with something put behind one of its segments. */
export function extended({ segments }: Address, at: number, suffix: string): string {
  return `/${segments.map((segment, index) => (index === at ? segment + suffix : segment)).join('/')}`;
}
