/** Resource quantities as Kubernetes stores them: in thousandths at the finest. */

import { setField } from '@fleet/kube/json-value.ts';
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
    setField(list!, name, formatQuantity({ nano: whole, format }));
  }
}

const largestInteger = 2n ** 63n - 1n;

/** As in Go: counted in thousandths within 64 bits. A larger quantity overflows, and is then not an integer. */
export function isWhole(text: string): boolean {
  const { nano, format } = parseQuantity(text);
  const milli = nano / nanoPerMilli + (nano % nanoPerMilli > 0n ? 1n : 0n);
  if (format === 'binary') return BigInt.asIntN(64, milli) % 1_000n === 0n;
  return milli <= largestInteger && milli % 1_000n === 0n;
}

export function roundUpResources(resources: Resources | undefined): void {
  roundUp(resources?.limits);
  roundUp(resources?.requests);
}
