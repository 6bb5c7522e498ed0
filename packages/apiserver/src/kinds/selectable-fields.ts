/** The fields by which built-in kinds can be selected, in addition to name and namespace; absent fields are Go's zero values. */

import { fieldOf, isObject, type JsonValue } from '@fleet/kube/json-value.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { Strategy } from '../registry/resource-kind.ts';

type Fields = NonNullable<Strategy['selectableFields']>;

function valueAt(object: KubeObject, path: string): JsonValue | undefined {
  let value = object as unknown as JsonValue | undefined;
  for (const name of path.split('.')) value = isObject(value) ? fieldOf(value, name) : undefined;
  return value;
}

const field =
  (path: string, zero = '') =>
  (object: KubeObject): string =>
    String(valueAt(object, path) ?? zero);

/** By path, with the text of an absent value. */
export const fields = (paths: Readonly<Record<string, string>>): Fields =>
  Object.fromEntries(Object.entries(paths).map(([path, zero]) => [path, field(path, zero)]));

/** By group and resource. */
const known: Readonly<Record<string, Fields>> = {
  'certificates.k8s.io/certificatesigningrequests': fields({ 'spec.signerName': '' }),
};

export const fieldsOf = (group: string, resource: string): Fields | undefined => known[`${group}/${resource}`];
