/** The plugin TaintNodesByCondition: a new node is tainted until it is ready. */

import type { Plugin } from './plugin.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

export const taintNodesByCondition: Plugin = {
  resources: ['nodes'],
  admit({ object, old, subresource }) {
    if (old || subresource) return;
    const spec = (object['spec'] ?? {}) as { taints?: { key: string; effect: string }[] };
    const { taints = [] } = spec;
    if (taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) return;
    object['spec'] = { ...spec, taints: [...taints, notReady] };
  },
};
