/**
 * Checks the objects in an answer. kubectl acts on the kind, name and namespace of the objects that it gets, whatever it
 * requested. So a member that returned other objects could make users change another cluster (SEC-1).
 */

import { JsonBytesError, type Span, spanIs } from '@fleet/kube/json-bytes.ts';
import type { ListEnvelope } from '@fleet/kube/list-splitter.ts';
import type { ObjectNames } from '@fleet/kube/object-names.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { namesCluster } from '../target/suffixed-name.ts';
import type { Ask } from '../target/target.ts';

/** The kinds as clients know them from the product's discovery. */
export interface KnownKinds {
  /** Whether an object of this kind belongs to another resource than the requested one. */
  isOfAnother(asked: ResourceRequest, apiVersion: string, kind: string): boolean;
}

export interface AskedObjects {
  /** As the cluster knows them; undefined if any is valid. */
  name: string | undefined;
  namespace: string | undefined;
  isOfAnother(apiVersion: string, kind: string): boolean;
}

/** Subresources that return the object itself, or part of it. Others may return anything. */
const ownSubresources = new Set(['status', 'scale', 'resize', 'ephemeralcontainers', 'finalize', 'approval']);

export function askedObjects(ask: Ask, kinds: KnownKinds): AskedObjects | undefined {
  if (ask.is !== 'resource') return undefined;
  const { verb, name, namespace, resource, subresource } = ask;
  if (subresource !== undefined && !ownSubresources.has(subresource)) return undefined;
  return {
    // A created object has the name in its body: custom resources ignore a name in the path.
    name: verb === 'create' ? undefined : name,
    // The path of a Namespace object has its name as the namespace.
    namespace: resource === 'namespaces' ? undefined : namespace,
    isOfAnother: (apiVersion, kind) => kinds.isOfAnother(ask, apiVersion, kind),
  };
}

/** Where a view adds a suffix, and so names the cluster itself. */
export interface Suffixed {
  name: unknown;
  namespace: unknown;
}

/** Throws for a name that would name another cluster. */
export function refuseForeignNames(bytes: Buffer, { name, namespace }: ObjectNames, suffixed: Suffixed): void {
  if (name && !suffixed.name && namesCluster(textOf(bytes, name))) throw new JsonBytesError('a name with a cluster');
  if (namespace && !suffixed.namespace && namesCluster(textOf(bytes, namespace))) {
    throw new JsonBytesError('a namespace with a cluster');
  }
}

/** Throws for an object that was not requested. Bookmarks have no name. */
export function refuseUnasked(bytes: Buffer, found: ObjectNames, asked: AskedObjects, suffixed: Suffixed): void {
  const { kind, apiVersion, name, namespace } = found;
  if (kind && asked.isOfAnother(plainText(bytes, apiVersion), plainText(bytes, kind))) {
    throw new JsonBytesError('an object of another kind');
  }
  if (!name) return;
  if (asked.name !== undefined && !isText(bytes, name, asked.name))
    throw new JsonBytesError('an object of another name');
  if (asked.namespace === undefined) return;
  // Without a namespace, clients assume their current one, which gets no suffix.
  if (namespace ? !isText(bytes, namespace, asked.namespace) : !suffixed.name) {
    throw new JsonBytesError('an object of another namespace');
  }
}

/** Items without a kind have that of their list. A kind after the items is checked when it is read. */
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

/** A kind with escaped letters is only written to hide it. */
function plainText(bytes: Buffer, span: Span | undefined): string {
  const text = span ? bytes.toString('latin1', span.start, span.end) : '';
  if (text.includes('\\')) throw new JsonBytesError('a kind that is hidden by an escape');
  return text;
}
