/** Parses a name such as `deployment/shop`, and finds its resource in the control plane. */

import { UsageError } from './errors.ts';
import { pathOf, requestsOf } from './get/request.ts';
import { type ResourceType, readResourceTypes } from './get/resource-types.ts';
import type { PatientUpstream } from './patient-upstream.ts';

export interface NamedObject {
  type: ResourceType;
  name: string;
  /** Undefined for what has none. */
  namespace: string | undefined;
  path: string;
}

/** By the kinds that the control plane serves: what it does not serve cannot be a template. */
export async function namedObject(upstream: PatientUpstream, word: string, namespace: string): Promise<NamedObject> {
  const scope = { namespace, allNamespaces: false };
  const types = await readResourceTypes(upstream, new AbortController().signal);
  const [request, ...others] = word.includes('/') ? requestsOf([word], types, scope) : [];
  const { type, name } = request ?? {};
  if (!request || !type || name === undefined || others.length > 0)
    throw new UsageError(`"${word}" does not name one object, as deployment/shop does`);
  return { type, name, namespace: type.namespaced ? namespace : undefined, path: pathOf(request, scope) };
}

export const apiVersionOf = ({ group, version }: ResourceType): string => (group ? `${group}/${version}` : version);
