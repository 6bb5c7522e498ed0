/**
 * What an answer may hold. Clients act on what they were shown: kubectl by an object's own kind, name and namespace, whatever
 * it had asked for. A member that shows another's would have them change another cluster (SEC-1).
 */

import { JsonBytesError, type Span, spanIs } from '@fleet/kube/json-bytes.ts';
import type { ListEnvelope } from '@fleet/kube/list-splitter.ts';
import type { ObjectNames } from '@fleet/kube/object-names.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { namesCluster } from '../target/suffixed-name.ts';
import type { Ask } from '../target/target.ts';

/** What clients take objects for: they learn kinds from the product's own discovery. */
export interface KnownKinds {
  /** Whether what says so of itself is an object of another resource than the one that was asked for. */
  isOfAnother(asked: ResourceRequest, apiVersion: string, kind: string): boolean;
}

export interface AskedObjects {
  /** As the cluster knows them; undefined where any may come. */
  name: string | undefined;
  namespace: string | undefined;
  isOfAnother(apiVersion: string, kind: string): boolean;
}

/** Subresources that are the object itself, or part of it. Others may answer with whatever they make. */
const ownSubresources = new Set(['status', 'scale', 'resize', 'ephemeralcontainers', 'finalize', 'approval']);

export function askedObjects(ask: Ask, kinds: KnownKinds): AskedObjects | undefined {
  if (ask.is !== 'resource') return undefined;
  const { verb, name, namespace, resource, subresource } = ask;
  if (subresource !== undefined && !ownSubresources.has(subresource)) return undefined;
  return {
    // A new object has the name that its body says: of custom kinds a name in the path is passed over.
    name: verb === 'create' ? undefined : name,
    // A namespace's own path has its name there.
    namespace: resource === 'namespaces' ? undefined : namespace,
    isOfAnother: (apiVersion, kind) => kinds.isOfAnother(ask, apiVersion, kind),
  };
}

/** Where a view puts a suffix, and so names the cluster itself. */
export interface Suffixed {
  name: unknown;
  namespace: unknown;
}

/** Throws at a name that would name another cluster. */
export function refuseForeignNames(bytes: Buffer, { name, namespace }: ObjectNames, suffixed: Suffixed): void {
  if (name && !suffixed.name && namesCluster(textOf(bytes, name))) throw new JsonBytesError('a name with a cluster');
  if (namespace && !suffixed.namespace && namesCluster(textOf(bytes, namespace))) {
    throw new JsonBytesError('a namespace with a cluster');
  }
}

/** Throws at an object that was not asked for. Bookmarks have no name. */
export function refuseUnasked(bytes: Buffer, found: ObjectNames, asked: AskedObjects, suffixed: Suffixed): void {
  const { kind, apiVersion, name, namespace } = found;
  if (kind && asked.isOfAnother(plainText(bytes, apiVersion), plainText(bytes, kind))) {
    throw new JsonBytesError('an object of another kind');
  }
  if (!name) return;
  if (asked.name !== undefined && !isText(bytes, name, asked.name))
    throw new JsonBytesError('an object of another name');
  if (asked.namespace === undefined) return;
  // Without one, clients take the namespace that they are in, and no suffix stands behind it.
  if (namespace ? !isText(bytes, namespace, asked.namespace) : !suffixed.name) {
    throw new JsonBytesError('an object of another namespace');
  }
}

/** Items that do not say their kind have that of their list. One that comes after the items is looked at then. */
export function refuseUnaskedList({ kind, apiVersion = '' }: ListEnvelope, asked: AskedObjects | undefined): void {
  if (kind !== undefined && asked?.isOfAnother(apiVersion, kind.replace(/List$/, ''))) {
    throw new JsonBytesError('a list of another kind');
  }
}

const isText = (bytes: Buffer, span: Span, text: string): boolean =>
  spanIs(bytes, span, text) || textOf(bytes, span) === text;

function textOf(bytes: Buffer, { start, end }: Span): string {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

/** Nobody escapes a letter of it but to hide it. */
function plainText(bytes: Buffer, span: Span | undefined): string {
  const text = span ? bytes.toString('latin1', span.start, span.end) : '';
  if (text.includes('\\')) throw new JsonBytesError('a kind that is hidden by an escape');
  return text;
}
