/** Names of bindings, Works and execution spaces (FED-1). */

import type { AnyObject } from '../api/objects.ts';
import { fnv1a32 } from '../hash.ts';

const executionSpacePrefix = 'karmada-es-';

/** The namespace of a cluster's Works. */
export const executionSpaceOf = (cluster: string): string => `${executionSpacePrefix}${cluster}`;

/** Undefined for other namespaces. */
export const clusterOfSpace = (namespace: string): string | undefined =>
  namespace.startsWith(executionSpacePrefix) && namespace !== executionSpacePrefix
    ? namespace.slice(executionSpacePrefix.length)
    : undefined;

export const bindingName = (kind: string, name: string): string => `${allowed(name)}-${kind.toLowerCase()}`;

/** Of a template, or of its manifest. */
export function workName({ kind, metadata: { namespace, name } }: Pick<AnyObject, 'kind' | 'metadata'>): string {
  const binding = bindingName(kind, name);
  return `${allowed(name)}-${safeHash(namespace ? `${namespace.toLowerCase()}-${binding}` : binding)}`;
}

/** The end of a label on a dependency's binding: which parent needs it (FED-11). */
export const bindingReferenceKey = (namespace: string | undefined, name: string): string =>
  safeHash(namespace ? `${namespace}/${name}` : name);

/** Names of RBAC have colons and capitals, which names of custom resources may not have. */
const allowed = (name: string): string => name.replaceAll(':', '.').toLowerCase();

/** Without vowels and digits that look like them, so that no name contains a word. */
const digits = '456789bcdf';

const safeHash = (text: string): string =>
  String(fnv1a32(text)).replace(/\d/g, (digit) => digits.charAt(Number(digit)));
