/** Nothing is made in a namespace that is not there, or that is going. */

import { StatusError } from '@fleet/kube/status.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { decodeObject } from '../registry/stored-object.ts';

export const admitToNamespace =
  (namespaces: Registry, { group, resource }: ResourceKind) =>
  async ({ metadata: { name = '', namespace } }: KubeObject): Promise<void> => {
    const { metadata } = decodeObject(await namespaces.get(namespace!));
    if (!metadata.deletionTimestamp) return;
    const what = `${group ? `${resource}.${group}` : resource} ${JSON.stringify(name)}`;
    const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
    const cause = {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    };
    throw new StatusError(403, 'Forbidden', `${what} is forbidden: ${why}`, {
      ...(name ? { name } : {}),
      ...(group ? { group } : {}),
      kind: resource,
      causes: [cause],
    });
  };
