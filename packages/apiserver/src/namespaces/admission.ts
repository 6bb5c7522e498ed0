/** The plugin NamespaceLifecycle: refuses objects in missing or terminating namespaces, and protects some namespaces. */

import { forbidden, StatusError } from '@fleet/kube/status.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { ObjectRegistry } from '../registry/registry.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { decodeObject } from '../registry/stored-object.ts';
import type { Requirement } from '../store/object-store.ts';

export const admitToNamespace =
  (namespaces: ObjectRegistry, { group, resource }: ResourceKind) =>
  async ({ metadata: { name = '', namespace } }: KubeObject): Promise<Requirement> => {
    const entry = await namespaces.get(namespace!);
    const { key, revision } = entry;
    if (!decodeObject(entry).metadata.deletionTimestamp) return { key, revision };
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

/** Every cluster needs them. */
const immortal = ['default', 'kube-public', 'kube-system'];

/** `whyKept`: why another namespace must not be deleted now; undefined if it may be. */
export const admitNamespaceDeletion =
  (whyKept: (name: string) => Promise<string | undefined> = async () => undefined) =>
  async (name: string): Promise<void> => {
    const why = immortal.includes(name) ? 'this namespace may not be deleted' : await whyKept(name);
    if (why === undefined) return;
    throw forbidden(`namespaces "${name}" is forbidden: ${why}`, { group: '', resource: 'namespaces' }, name);
  };
