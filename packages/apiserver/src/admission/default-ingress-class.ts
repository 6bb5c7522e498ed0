/** The plugin DefaultIngressClass: sets the class of an Ingress without one. */

import type { Plugin } from './plugin.ts';
import { newestOf, storedObjects } from './stored-objects.ts';

const isDefault = 'ingressclass.kubernetes.io/is-default-class';

export const defaultIngressClass: Plugin = {
  resources: ['ingresses.networking.k8s.io'],
  async admit({ object, old, subresource }, store) {
    const spec = (object['spec'] ?? {}) as { ingressClassName?: string };
    const isClassed =
      spec.ingressClassName !== undefined || object.metadata.annotations?.['kubernetes.io/ingress.class'] !== undefined;
    if (old || subresource || isClassed) return;
    const classes = await storedObjects(store, '/registry/ingressclasses/');
    const found = newestOf(classes.filter(({ metadata }) => metadata.annotations?.[isDefault] === 'true'));
    if (found) object['spec'] = { ...spec, ingressClassName: found.metadata.name! };
  },
};
