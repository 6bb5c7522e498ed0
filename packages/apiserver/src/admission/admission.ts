/** What kube-apiserver's admission plugins make of an object before it is stored, by their names. */

import type { ResourceKind } from '../registry/resource-kind.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { defaultStorageClass } from './default-storage-class.ts';
import { defaultTolerationSeconds } from './default-toleration-seconds.ts';
import type { Admitted, Plugin } from './plugin.ts';
import { priority } from './priority.ts';
import { serviceAccount } from './service-account.ts';
import { storageObjectInUseProtection } from './storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';

/** In the order in which kube-apiserver asks them. */
const plugins = {
  ServiceAccount: serviceAccount,
  TaintNodesByCondition: taintNodesByCondition,
  Priority: priority,
  DefaultTolerationSeconds: defaultTolerationSeconds,
  DefaultStorageClass: defaultStorageClass,
  StorageObjectInUseProtection: storageObjectInUseProtection,
  DefaultIngressClass: defaultIngressClass,
} satisfies Record<string, Plugin>;

export type AdmissionName = keyof typeof plugins;

/** Those of an ordinary cluster. */
export const memberAdmission: readonly AdmissionName[] = Object.keys(plugins) as AdmissionName[];

/** Of a control plane, which runs no pods: neither tokens nor controllers that would remove finalizers are needed. */
export const controlPlaneAdmission: readonly AdmissionName[] = [
  'TaintNodesByCondition',
  'Priority',
  'DefaultTolerationSeconds',
  'DefaultStorageClass',
  'DefaultIngressClass',
];

export type Admit = (write: Omit<Admitted, 'kind'>) => Promise<void>;

/** What is to be asked of writes to a kind; undefined if nothing is. */
export function admissionOf(
  kind: ResourceKind,
  names: readonly AdmissionName[],
  store: ObjectStore,
): Admit | undefined {
  const resource = kind.group ? `${kind.resource}.${kind.group}` : kind.resource;
  const asked = Object.entries(plugins).flatMap(([name, plugin]: [string, Plugin]) =>
    names.includes(name as AdmissionName) && plugin.resources.includes(resource) ? [plugin] : [],
  );
  if (asked.length === 0) return undefined;
  return async (write) => {
    for (const plugin of asked) await plugin.admit({ ...write, kind }, store);
  };
}
