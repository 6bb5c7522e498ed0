/** The plugin StorageObjectInUseProtection: adds a finalizer to volumes and claims, which a controller removes when they are unused. */

import type { Plugin } from './plugin.ts';

const finalizers: Readonly<Record<string, string>> = {
  persistentvolumes: 'kubernetes.io/pv-protection',
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  volumeattributesclasses: 'kubernetes.io/vac-protection',
};

export const storageObjectInUseProtection: Plugin = {
  resources: ['persistentvolumes', 'persistentvolumeclaims', 'volumeattributesclasses.storage.k8s.io'],
  admit({ kind, object: { metadata }, old, subresource }) {
    const finalizer = finalizers[kind.resource]!;
    if (old || subresource || metadata.finalizers?.includes(finalizer)) return;
    metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
  },
};
