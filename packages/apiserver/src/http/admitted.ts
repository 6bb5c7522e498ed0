/** Objects on their way through admission. */

import { copyJson, type JsonObject } from '@fleet/kube/json-value.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { KubeObject } from '../registry/kube-object.ts';

/** Changes the object in place. `old` is undefined for what is new. */
export type Mutate = (
  write: { object: KubeObject; old: KubeObject | undefined } & Pick<ResourceRequest, 'namespace' | 'subresource'>,
) => Promise<void>;

/** As admission leaves it; what it changes is owned by nobody. */
export async function admitted(
  mutate: Mutate | undefined,
  { namespace, subresource }: ResourceRequest,
  given: KubeObject,
  old: KubeObject | undefined,
): Promise<KubeObject> {
  if (!mutate) return given;
  // A patch leaves parts of the old object in the new one.
  const object = copyJson(given as unknown as JsonObject) as unknown as KubeObject;
  await mutate({ object, old, namespace, subresource });
  return object;
}
