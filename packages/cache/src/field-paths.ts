/** The fields that kube-apiserver selects objects by, beside name and namespace (CACHE-14). */

export interface SelectableField {
  /** As selectors name it. */
  name: string;
  /** Where its value stands; the first that is not empty counts. */
  paths: readonly (readonly string[])[];
  /** The text of a value that is not there: Go's zero. */
  zero: string;
  /** Nearly every object has another value: read from the object when a selector asks for it, not indexed. */
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
      field('spec.restartPolicy'),
      field('spec.schedulerName'),
      field('spec.serviceAccountName'),
      field('spec.hostNetwork', { zero: 'false' }),
      field('status.phase'),
      field('status.podIP', { isUnique: true }),
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
  ['apps/replicasets', [field('status.replicas', { zero: '0' })]],
  ['batch/jobs', [field('status.successful', { zero: '0', paths: ['status.succeeded'] })]],
  ['certificates.k8s.io/certificatesigningrequests', [field('spec.signerName')]],
]);

export interface Selectable {
  group: string;
  resource: string;
  /** The paths of a custom resource's `selectableFields`. */
  selectableFields?: readonly string[];
}

export const fieldsOf = ({ group, resource, selectableFields = [] }: Selectable): readonly SelectableField[] =>
  builtIn.get(`${group}/${resource}`) ?? selectableFields.map((name) => field(name));
