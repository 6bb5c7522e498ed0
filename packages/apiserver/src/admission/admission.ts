/** Runs the admission plugins of kube-apiserver on an object before it is stored. */

import type { WriteHooks } from '../registry/resource-context.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { defaultStorageClass } from './default-storage-class.ts';
import { defaultTolerationSeconds } from './default-toleration-seconds.ts';
import type { AdmissionModule, Admitted, Plugin, Validated, ValidatingPlugin } from './plugin.ts';
import { priority } from './priority.ts';
import { resourceQuota } from './resource-quota.ts';
import { serviceAccount } from './service-account.ts';
import { storageObjectInUseProtection } from './storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';

/** In the order of kube-apiserver. */
const plugins = {
  ServiceAccount: serviceAccount,
  TaintNodesByCondition: taintNodesByCondition,
  Priority: priority,
  DefaultTolerationSeconds: defaultTolerationSeconds,
  DefaultStorageClass: defaultStorageClass,
  StorageObjectInUseProtection: storageObjectInUseProtection,
  DefaultIngressClass: defaultIngressClass,
} satisfies Record<string, Plugin>;

/** Run once the object is defaulted and valid. */
const validatingPlugins = { ResourceQuota: resourceQuota } satisfies Record<string, ValidatingPlugin>;

export type AdmissionName = keyof typeof plugins | keyof typeof validatingPlugins;

/** The plugins of an ordinary cluster. */
export const memberAdmission: readonly AdmissionName[] = Object.keys({
  ...plugins,
  ...validatingPlugins,
}) as AdmissionName[];

/** The plugins of a control plane, which runs no pods: it needs neither tokens nor controllers that remove finalizers. */
export const controlPlaneAdmission: readonly AdmissionName[] = [
  'TaintNodesByCondition',
  'Priority',
  'DefaultTolerationSeconds',
  'DefaultStorageClass',
  'DefaultIngressClass',
];

/** Kinds that some of these plugins enforce, and that are only stored without them. */
export const enforcedBy = (names: readonly AdmissionName[]): readonly string[] =>
  names.includes('ResourceQuota') ? ['resourcequotas'] : [];

/** `mutate` may change an object; `validate` checks what would be written. Undefined if there is nothing to run. */
export interface Admission {
  mutate: ((write: Omit<Admitted, 'kind'>) => Promise<void>) | undefined;
  validate: ((write: Omit<Validated, 'kind'>) => Promise<void>) | undefined;
}

/** `url` is that of a file; undefined if there is no admission module. */
export const loadAdmission = async (url: string | undefined): Promise<AdmissionModule | undefined> =>
  url === undefined ? undefined : ((await import(url)) as AdmissionModule);

export interface AdmissionParts {
  names: readonly AdmissionName[];
  /** Runs after the named plugins. */
  module: AdmissionModule | undefined;
  store: ObjectStore;
}

/** The admission module is called before each deletion of an object. */
export const deletionHooks = (kind: ResourceKind, { module }: Pick<AdmissionParts, 'module'>): WriteHooks =>
  module ? { admitDeletionOf: (object) => module.admitDeletion(kind, object) } : {};

/** The admission of writes to a kind. */
export function admissionOf(kind: ResourceKind, { names, module, store }: AdmissionParts): Admission {
  const resource = kind.group ? `${kind.resource}.${kind.group}` : kind.resource;
  const enabled = <One>(all: Readonly<Record<string, One>>): One[] =>
    Object.entries(all).flatMap(([name, plugin]) => (names.includes(name as AdmissionName) ? [plugin] : []));
  const mutating = enabled<Plugin>(plugins).filter(({ resources }) => resources.includes(resource));
  const validating = [...enabled<ValidatingPlugin>(validatingPlugins), ...(module?.validatingPlugins ?? [])].filter(
    (plugin) => plugin.isAbout(kind),
  );
  const mutate: Admission['mutate'] = async (write) => {
    for (const plugin of mutating) await plugin.admit({ ...write, kind }, store);
  };
  const validate: Admission['validate'] = async (write) => {
    for (const plugin of validating) await plugin.validate({ ...write, kind }, store);
  };
  return {
    mutate: mutating.length > 0 ? mutate : undefined,
    validate: validating.length > 0 ? validate : undefined,
  };
}
