/** The plugin DefaultTolerationSeconds: by default, a pod stays for five minutes on a node that is not ready or unreachable. */

import type { PodSpec, Toleration } from '../kinds/pods/pod-spec.ts';
import type { Plugin } from './plugin.ts';

const taints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const fiveMinutes = 300;

const tolerates = ({ key, effect }: Toleration, taint: string): boolean =>
  (!key || key === taint) && (!effect || effect === 'NoExecute');

export const defaultTolerationSeconds: Plugin = {
  resources: ['pods'],
  admit({ object, subresource }) {
    if (subresource) return;
    const spec = (object['spec'] ?? {}) as PodSpec;
    const { tolerations = [] } = spec;
    const missing = taints
      .filter((taint) => !tolerations.some((one) => tolerates(one, taint)))
      .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: fiveMinutes }));
    if (missing.length > 0) object['spec'] = { ...spec, tolerations: [...tolerations, ...missing] };
  },
};
