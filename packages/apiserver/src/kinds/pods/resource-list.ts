/** Amounts of resources, as Kubernetes keeps them: never finer than a thousandth. */

import { formatQuantity, parseQuantity } from '@fleet/kube/quantity.ts';
import type { ResourceList, Resources } from './pod-spec.ts';

const nanoPerMilli = 1_000_000n;

/** Rounds up to thousandths, in place. */
export function roundUp(list: ResourceList | undefined): void {
  for (const [name, text] of Object.entries(list ?? {})) {
    const { nano, format } = parseQuantity(text);
    const rest = nano % nanoPerMilli;
    if (rest === 0n) continue;
    const whole = nano - rest + (rest > 0n ? nanoPerMilli : -nanoPerMilli);
    list![name] = formatQuantity({ nano: whole, format });
  }
}

export function roundUpResources(resources: Resources | undefined): void {
  roundUp(resources?.limits);
  roundUp(resources?.requests);
}
