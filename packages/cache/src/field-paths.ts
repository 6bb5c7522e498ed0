/**
 * The fields that kube-apiserver selects objects by, beside name and namespace (CACHE-14): those that a kind's
 * AddFieldLabelConversionFunc lets through, with the values of its SelectableFields. A kind that registers no such function can be
 * selected by name and namespace alone, whatever its SelectableFields have (ReplicaSets, LeaseCandidates).
 */

export interface SelectableField {
  /** As selectors name it. */
  name: string;
  /** Paths to its value; the first that is not empty counts. */
  paths: readonly (readonly string[])[];
  /** The text of an absent value: Go's zero value. */
  zero: string;
  /** Nearly every object has its own value, so it is not indexed: a selector reads it from the object. */
  isUnique: boolean;
}

interface FieldOptions {
  zero?: string;
  isUnique?: boolean;
  paths?: readonly string[];
}

const field = (name: string, { zero = '', isUnique = false, paths = [name] }: FieldOptions = {}): SelectableField => ({
  name,
  paths: paths.map((path) => path.split('.')),
  zero,
  isUnique,
});

const about = (object: string): SelectableField[] => [
  field(`${object}.kind`),
  field(`${object}.namespace`),
  field(`${object}.apiVersion`),
  ...['name', 'uid', 'resourceVersion', 'fieldPath'].map((name) => field(`${object}.${name}`, { isUnique: true })),
];

/** By group and resource. */
const builtIn: ReadonlyMap<string, readonly SelectableField[]> = new Map([
  [
    '/pods',
    [
      field('spec.nodeName'),
      // Old clients' name for spec.nodeName.
      field('spec.host', { isUnique: true, paths: ['spec.nodeName'] }),
      field('spec.restartPolicy'),
      field('spec.schedulerName'),
      field('spec.serviceAccountName'),
      field('spec.hostNetwork', { zero: 'false' }),
      field('status.phase'),
      field('status.podIP', { isUnique: true }),
      // Accepted in selectors, but not among the SelectableFields: empty in every object.
      field('status.podIPs', { isUnique: true, paths: [] }),
      field('status.nominatedNodeName'),
    ],
  ],
  [
    '/events',
    [
      ...about('involvedObject'),
      field('reason'),
      field('reportingComponent'),
      field('source', { paths: ['source.component', 'reportingComponent'] }),
      field('type'),
    ],
  ],
  ['events.k8s.io/events', [...about('regarding'), field('reason'), field('reportingController'), field('type')]],
  ['/secrets', [field('type')]],
  ['/namespaces', [field('status.phase')]],
  ['/nodes', [field('spec.unschedulable', { zero: 'false' })]],
  ['/services', [field('spec.clusterIP', { isUnique: true }), field('spec.type')]],
  ['/replicationcontrollers', [field('status.replicas', { zero: '0' })]],
  ['batch/jobs', [field('status.successful', { zero: '0', paths: ['status.succeeded'] })]],
  ['certificates.k8s.io/certificatesigningrequests', [field('spec.signerName')]],
  ['certificates.k8s.io/clustertrustbundles', [field('spec.signerName')]],
  [
    'certificates.k8s.io/podcertificaterequests',
    [field('spec.signerName'), field('spec.podName', { isUnique: true }), field('spec.nodeName')],
  ],
  ['resource.k8s.io/resourceslices', [field('spec.nodeName'), field('spec.driver')]],
]);

/** Namespaced kinds that refuse a selector on metadata.namespace. */
const withoutNamespace: ReadonlySet<string> = new Set(['certificates.k8s.io/podcertificaterequests']);

export interface Selectable {
  group: string;
  resource: string;
  namespaced?: boolean;
  /** The paths of a custom resource's `selectableFields`. */
  selectableFields?: readonly string[];
}

export const fieldsOf = ({ group, resource, selectableFields = [] }: Selectable): readonly SelectableField[] =>
  builtIn.get(`${group}/${resource}`) ?? selectableFields.map((name) => field(name));

/** Of the cluster-scoped kinds, most refuse a selector on metadata.namespace and some accept it: the member decides. */
export const selectsByNamespace = ({ group, resource, namespaced = true }: Selectable): boolean =>
  namespaced && !withoutNamespace.has(`${group}/${resource}`);
