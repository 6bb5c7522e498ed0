/** Runs admission on objects. */

import { copyJson, type JsonObject } from '@fleet/kube/json-value.ts';
import type { Quantity } from '@fleet/kube/quantity.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { WriteOptions } from '../registry/resource-context.ts';

/** Changes the object in place. `old` is undefined for a new object. */
export type Mutate = (
  write: { object: KubeObject; old: KubeObject | undefined; dryRun?: boolean | undefined } & Pick<
    ResourceRequest,
    'namespace' | 'subresource'
  >,
) => Promise<void>;

/** The object after admission, whose changes no field manager owns. */
export async function admitted(
  mutate: Mutate | undefined,
  { namespace, subresource, dryRun }: ResourceRequest & { dryRun?: boolean | undefined },
  given: KubeObject,
  old: KubeObject | undefined,
): Promise<KubeObject> {
  if (!mutate) return given;
  // After a patch, the new object shares parts with the old one.
  const object = copyJson(given as unknown as JsonObject) as unknown as KubeObject;
  keepShared(given as Templated, object as Templated);
  await mutate({ object, old, namespace, subresource, dryRun });
  return object;
}

/** Validates the object that would be stored. `charged` is the usage that the request has been charged with, by quota key. */
export type Validate = (
  write: Parameters<Mutate>[0] & { charged: Map<string, ReadonlyMap<string, Quantity>> },
) => Promise<void>;

/** The validating admission of one request, shared by its retries. */
export function settledAdmission(
  validate: Validate | undefined,
  { namespace, subresource }: Pick<ResourceRequest, 'namespace' | 'subresource'>,
  dryRun: boolean,
): WriteOptions['admitSettled'] {
  if (!validate) return undefined;
  const charged: Parameters<Validate>[0]['charged'] = new Map();
  return (object, old) => validate({ object, old, namespace, subresource, dryRun, charged });
}

interface Templated {
  metadata: { labels?: Record<string, string> };
  spec?: { template?: { metadata?: { labels?: Record<string, string> } } };
}

/** A Job without labels shares the map of its template, as in Go: labels added at creation appear in both. */
function keepShared(given: Templated, copy: Templated): void {
  const { labels } = given.metadata;
  if (!labels || labels !== given.spec?.template?.metadata?.labels) return;
  copy.metadata.labels = copy.spec!.template!.metadata!.labels!;
}
