/** Rewrites the names in an error about an object, so that kubectl prints what the user typed (NAME-4). */

import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import type { Status } from '@fleet/kube/status.ts';
import { suffixOf } from '../target/suffixed-name.ts';
import type { ClusterName, View } from '../target/target.ts';

/** The requested names, as the cluster knows them. */
export interface AskedNames {
  view: View;
  cluster: ClusterName;
  name: string | undefined;
  /** The `generateName` of a create without a name. */
  namePrefix?: string | undefined;
  namespace: string | undefined;
}

/** In a message, an object's name is the first text in such quotes. A namespace may occur again. */
const inMessage = (message: string, name: string, suffixed: string): string =>
  message.replace(`"${name}"`, () => `"${suffixed}"`).replaceAll(`(${name})`, () => `(${suffixed})`);

/** Errors before a name is generated have the `generateName` instead. */
function nameIn({ details }: Status, { name, namePrefix }: AskedNames): string | undefined {
  return name || (namePrefix && details?.name?.startsWith(namePrefix) ? details.name : namePrefix);
}

export function presentStatus(bytes: Buffer, asked: AskedNames): Buffer {
  const { view, cluster, namespace } = asked;
  const status = JSON.parse(bytes.toString()) as Status;
  // As clients parse it.
  if (status.kind !== 'Status') throw new JsonBytesError('an error of another kind');
  if (view.names === 'plain') return bytes;
  const name = nameIn(status, asked);
  const suffix = suffixOf(cluster);
  if (view.names === 'name-suffixed' && name) {
    if (status.details?.name === name) status.details.name = name + suffix;
    if (status.message !== undefined) status.message = inMessage(status.message, name, name + suffix);
  }
  if (view.names === 'namespace-suffixed' && namespace) {
    for (const before of ['namespace', 'namespaces']) {
      const suffixed = `${before} "${namespace}${suffix}"`;
      status.message = status.message?.replaceAll(`${before} "${namespace}"`, () => suffixed);
    }
    if (status.details?.kind === 'namespaces' && status.details.name === namespace) {
      status.details.name = namespace + suffix;
    }
  }
  return Buffer.from(`${JSON.stringify(status)}\n`);
}
