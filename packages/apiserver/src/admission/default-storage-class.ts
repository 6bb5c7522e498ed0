/** The plugin DefaultStorageClass: sets the class of a claim without one. */

import type { Plugin } from './plugin.ts';
import { newestOf, storedObjects } from './stored-objects.ts';

const isDefault = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

export const defaultStorageClass: Plugin = {
  resources: ['persistentvolumeclaims'],
  async admit({ object, old, subresource }, store) {
    const spec = (object['spec'] ?? {}) as { storageClassName?: string };
    const isClassed =
      spec.storageClassName !== undefined ||
      object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] !== undefined;
    if (old || subresource || isClassed) return;
    const classes = await storedObjects(store, '/registry/storageclasses/');
    const found = newestOf(
      classes.filter(({ metadata }) => isDefault.some((name) => metadata.annotations?.[name] === 'true')),
    );
    if (found) object['spec'] = { ...spec, storageClassName: found.metadata.name! };
  },
};
