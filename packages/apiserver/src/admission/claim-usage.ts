/** The usage of PersistentVolumeClaims in ResourceQuotas: `pkg/quota/v1/evaluator/core/persistent_volume_claims.go`. */

import { largerQuantity, parseQuantity, type Quantity, QuantityError } from '@fleet/kube/quantity.ts';
import type { KubeObject } from '../registry/kube-object.ts';

interface Claim extends KubeObject {
  spec?: { storageClassName?: string; resources?: { requests?: Record<string, unknown> } };
  status?: { allocatedResources?: Record<string, unknown> };
}

const one = parseQuantity('1');
const classSuffix = '.storageclass.storage.k8s.io/';
const claimNames = ['persistentvolumeclaims', 'requests.storage'];
const oldClassAnnotation = 'volume.beta.kubernetes.io/storage-class';

export const isClaimName = (name: string): boolean =>
  name === 'count/persistentvolumeclaims' ||
  claimNames.includes(name) ||
  claimNames.some((own) => name.endsWith(`${classSuffix}${own}`));

export function claimUsage(object: KubeObject): Map<string, Quantity> {
  const { metadata, spec } = object as Claim;
  const usage = new Map([
    ['count/persistentvolumeclaims', one],
    ['persistentvolumeclaims', one],
  ]);
  const storage = storageOf(object);
  if (storage) usage.set('requests.storage', storage);
  const storageClass = metadata.annotations?.[oldClassAnnotation] ?? spec?.storageClassName;
  if (!storageClass) return usage;
  usage.set(`${storageClass}${classSuffix}persistentvolumeclaims`, one);
  if (storage) usage.set(`${storageClass}${classSuffix}requests.storage`, storage);
  return usage;
}

/** While the rollback of an expansion is pending, the volume has its old size. */
function storageOf(object: KubeObject): Quantity | undefined {
  const { spec, status } = object as Claim;
  const requested = wholeBytes(spec?.resources?.requests?.['storage']);
  const allocated = wholeBytes(status?.allocatedResources?.['storage']);
  return requested && allocated ? largerQuantity(requested, allocated) : requested;
}

const nanoPerByte = 1_000_000_000n;

function wholeBytes(text: unknown): Quantity | undefined {
  if (text === undefined || text === null) return undefined;
  try {
    const { nano, format } = parseQuantity(String(text));
    const rest = nano % nanoPerByte;
    return { nano: rest > 0n ? nano - rest + nanoPerByte : nano, format };
  } catch (error) {
    // Invalid quantities are rejected by validation.
    if (!(error instanceof QuantityError)) throw error;
    return undefined;
  }
}
