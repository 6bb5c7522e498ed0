/** Runs defaulting and validation of a kind without a server. */

import type { JsonObject } from '@fleet/kube/json-value.ts';
import { bodyOf, type FieldError } from '../errors/field-error.ts';
import { objectOf } from '../http/read-object.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';

const metadata = { name: 'one', namespace: 'default', uid: 'u-1' };

/** Decoded, with its defaults. */
export function decoded({ namespaced, ...kind }: PrintedKind, json: object): KubeObject {
  const { namespace: _, ...clusterWide } = metadata;
  const given = { ...json } as JsonObject;
  given['metadata'] = { ...(namespaced ? metadata : clusterWide), ...(given['metadata'] as object) };
  return objectOf(given, { namespaced, ...kind });
}

const texts = (errors: readonly FieldError[]): string[] => errors.map((error) => `${error.field}: ${bodyOf(error)}`);

/** The errors of a creation. */
export async function createFaults(kind: PrintedKind, json: object): Promise<string[]> {
  const object = decoded(kind, json);
  const prepared = structuredClone(object);
  kind.strategy.prepareForCreate?.(prepared, object);
  return texts((await kind.strategy.validateCreate?.(prepared)) ?? []);
}

/** The errors of an update; `subresource` is the status, or none. */
export async function updateFaults(
  kind: PrintedKind,
  before: object,
  after: object,
  subresource?: string,
): Promise<string[]> {
  const old = decoded(kind, before);
  kind.strategy.prepareForCreate?.(old, old);
  const object = decoded(kind, after);
  kind.strategy.prepareForUpdate?.(object, old, subresource);
  return texts((await kind.strategy.validateUpdate?.(object, old, subresource)) ?? []);
}
