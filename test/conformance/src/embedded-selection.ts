/** Which specs are run on the embedded control plane beside a kube-apiserver, and which of them may end differently. */

import { named, type Selection } from './selection.ts';

/** Whatever needs more than an API server with its garbage collector and its namespaces is left out. */
export const leftOut = {
  'servers and pods that really run':
    '[Ww]ebhook|Aggregator|Aggregated APIServer|CBOR|identity|Etcd failure|Disruptive|all pods are removed|create pods|pod first|CustomResourceFieldSelectors',
  nodes: 'across all namespaces for nodes',
  'controllers of workloads': 'created by (rc|cronjob|deployment)|the rc around|both valid owner|RS created|circle',
  quotas:
    'capture the life of|promptly calculated|verify ResourceQuota|resourcequota status|update and delete ResourceQuota',
  'policies of admission': 'AdmissionPolicy.*(mutate|validate|type check|refer variables)',
  'priority and fairness': 'requests can',
  'a compaction, which takes minutes': 'compacted away',
  'what is switched off in Kubernetes, too, or flaky there':
    'Flaky|CoordinatedLeaderElection|StorageVersion resources|ComprehensiveNamespaceDraining',
} as const;

export const embeddedSelection: Selection = {
  focus: ['\\[sig-api-machinery\\]'],
  skip: Object.values(leftOut),
};

/** Fast ones, each of another corner. */
export const shortEmbeddedSelection = named([
  'Watchers should be able to restart watching from the last resource version observed by the previous watch',
  'Servers with support for API chunking should return chunks of results for list calls',
  'should include custom resource definition resources in discovery documents',
  'FieldValidation should detect unknown and duplicate fields of a typed object',
  'ServerSideApply should give up ownership of a field if forced applied by a controller',
  'Garbage collector should support cascading deletion of custom resources',
  'Namespaces [Serial] should apply a finalizer to a Namespace',
  'MUST fail update of a custom resource that does not satisfy a x-kubernetes-validations transition rule',
  'should be requested by informers when WatchListClient is enabled',
  'watch and report errors with accept "application/vnd.kubernetes.protobuf"',
]);

interface Exception {
  /** A part of the spec's full name. */
  spec: string;
  because: string;
}

/** Pass on kube-apiserver and not here. One that passes here is to be taken off. */
export const exceptions: readonly Exception[] = [
  {
    spec: 'health handlers should contain necessary checks',
    because: 'names the parts that kube-apiserver is made of; `/healthz?verbose` has none.',
  },
];

export const exceptionFor = (spec: string): Exception | undefined =>
  exceptions.find((exception) => spec.includes(exception.spec));
