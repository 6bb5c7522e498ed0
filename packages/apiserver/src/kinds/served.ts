/** Builds a kind from Kubernetes' discovery data, and from tables of what only its registry code contains. */

import { kindType } from '@fleet/kube/protobuf/schema.ts';
import { zeroOf } from '../go-json/zero-value.ts';
import { dnsSubdomainFaults } from '../names/name-rules.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { ResourceKind, ScaleFields } from '../registry/resource-kind.ts';
import { builtInResources } from '../schema/built-in.ts';
import { type SelectorObject, selectorText } from '../selectors/selector-object.ts';

/** A PUT without a resourceVersion is refused. For other kinds it replaces any version. */
const requiresResourceVersion = [
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'validatingwebhookconfigurations',
  'customresourcedefinitions',
  'leases',
  'runtimeclasses',
  'csidrivers',
  'csinodes',
  'csistoragecapacities',
  'volumeattachments',
];

const createdOnUpdate = [
  'clusterrolebindings',
  'clusterroles',
  'rolebindings',
  'roles',
  'leases',
  'limitranges',
  'events',
  'runtimeclasses',
];

/** A deletion returns the object. */
const returnsDeletedObject = [
  'resourceclaimtemplates',
  'resourceslices',
  'resourceclaims',
  'deviceclasses',
  'csidrivers',
  'volumeattachments',
  'csinodes',
  'volumeattributesclasses',
  'resourcequotas',
  'serviceaccounts',
  'namespaces',
  'podtemplates',
];

/** Changes of the spec increment the generation. */
const withGeneration = [
  'resourceslices',
  'deviceclasses',
  'flowschemas',
  'prioritylevelconfigurations',
  'podtemplates',
  'validatingadmissionpolicies',
  'mutatingadmissionpolicies',
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
  'mutatingadmissionpolicybindings',
  'validatingadmissionpolicybindings',
];

type Served = Omit<ResourceKind, 'strategy'>;

export function served(group: string, resource: string, version = 'v1'): Served {
  const found = builtInResources().find(
    (one) => one.group === group && one.name === resource && one.version === version,
  );
  if (!found) throw new TypeError(`Kubernetes has no ${resource} in ${group}/${version}`);
  const { singular, kind, namespaced, verbs, shortNames, categories, subresources = [] } = found;
  const has = (name: string): boolean => subresources.some((one) => one.name === name);
  return {
    group,
    version,
    resource,
    singular,
    kind,
    namespaced,
    verbs,
    ...(shortNames ? { shortNames } : {}),
    ...(categories ? { categories } : {}),
    ...(has('status')
      ? { hasStatus: true, emptyStatus: emptyStatus(group ? `${group}/${version}` : version, kind) }
      : {}),
    ...(has('scale') ? { scale: workloadScale(`${group}/${version}`) } : {}),
    ...(withGeneration.includes(resource) ? { hasGeneration: true } : {}),
    ...(returnsDeletedObject.includes(resource) ? { returnsDeleted: true } : {}),
    ...(['namespaces', 'customresourcedefinitions'].includes(resource) ? { hasOwnDeletion: true } : {}),
    // Keys of these kinds have no group, as the keys are older than groups; apiregistration has had one from the start.
    ...(group === 'apiregistration.k8s.io' ? {} : { keyGroup: '' }),
    ...(createdOnUpdate.includes(resource) ? { createsOnUpdate: true } : {}),
    allowsUnconditionalUpdate: !requiresResourceVersion.includes(resource),
    nameFaults: dnsSubdomainFaults,
  };
}

function emptyStatus(apiVersion: string, kind: string): unknown {
  const field = kindType(apiVersion, kind)?.fields.find(({ jsonName }) => jsonName === 'status');
  return field && zeroOf(field);
}

const workloadScale = (apiVersion: string): ScaleFields => ({
  replicas: ['spec', 'replicas'],
  // ReplicationControllers are in the core group.
  pathIn: (one) => (`/${one}`.endsWith(apiVersion) ? ['spec', 'replicas'] : undefined),
  currentReplicas: ['status', 'replicas'],
  selector: ({ kind, spec }: KubeObject) => {
    const { selector = {} } = (spec ?? {}) as { selector?: SelectorObject | Record<string, string> };
    // Its selector is a plain map, without expressions.
    return kind === 'ReplicationController'
      ? selectorText({ matchLabels: selector as Record<string, string> })
      : selectorText(selector as SelectorObject);
  },
});
