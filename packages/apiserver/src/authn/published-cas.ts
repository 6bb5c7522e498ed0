/** Publishes the CA of client certificates in the ConfigMap that aggregated API servers read. */

import type { KubeObject } from '../registry/kube-object.ts';
import type { ObjectRegistry } from '../registry/registry.ts';

const name = 'extension-apiserver-authentication';
const namespace = 'kube-system';

/** `clientCa`: PEM. */
export async function publishClientCa(configMaps: ObjectRegistry, clientCa: string): Promise<void> {
  const { entries } = await configMaps.list({
    namespace,
    fields: [{ field: 'metadata.name', value: name, equal: true }],
  });
  const withCa = (object: KubeObject): KubeObject => ({
    ...object,
    data: { ...(object['data'] as object | undefined), 'client-ca-file': clientCa },
  });
  const made = withCa({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  if (entries.length === 0) await configMaps.create(made, { namespace });
  else await configMaps.update(name, { namespace }, (old) => withCa(old!));
}
