/** Which specs are run on a simulated cluster beside one of the bed, and why some of them do not pass. */

import { named, type Selection } from './selection.ts';

/** Workloads and kubectl: all that Kubernetes asks of every cluster. */
export const simulatedSelection: Selection = {
  focus: ['\\[sig-apps\\].*\\[Conformance\\]', '\\[sig-cli\\].*\\[Conformance\\]'],
  skip: [],
};

/** Fast ones, each of another controller or command. */
export const shortSimulatedSelection = named([
  'CronJob should support CronJob API operations',
  'Deployment RecreateDeployment should delete old pods and create new ones',
  'DisruptionController should block an eviction until the PDB is updated to allow it',
  'Job should create pods for an Indexed job with completion indexes and specified hostname',
  'ReplicaSet should adopt matching pods on creation and release no longer matching pods',
  'ReplicationController should get and update a ReplicationController scale',
  'should list, patch and delete a collection of StatefulSets',
  'Kubectl describe should check if kubectl describe prints relevant information for rc and pods',
  'Kubectl label should update the label on a resource',
  'Kubectl server-side dry-run should check if kubectl can dry-run update Pods',
]);

interface Reason {
  /** A part of the full name of each spec. */
  specs: readonly string[];
  because: string;
}

const asksImages = 'asks a program of the image, over the network or in its log';

/** kwok makes each pod ready at once, ends those of Jobs with success at once, and runs nothing. */
export const reasonsOnTheBed: readonly Reason[] = [
  {
    specs: [
      'CronJob should replace jobs when ReplaceConcurrent',
      'CronJob should schedule multiple jobs concurrently',
      'Job should adopt matching orphans',
      'Job should apply changes to a job status',
      'Job should delete a job',
      'failure matching on DisruptionTarget condition',
    ],
    because: 'pods of Jobs do not go on running',
  },
  {
    specs: [
      'pod failure policy on exit code to fail the job early',
      'despite some failing when using backoffLimitPerIndex',
      'when the FailIndex action is matched',
      'exceeds maxFailedIndexes',
      'succeededCount rule',
      'succeededIndexes rule',
    ],
    because: 'pods of Jobs do not fail',
  },
  {
    specs: ['proportional scaling', 'rollback without unnecessary restarts'],
    because: 'pods are ready though their image cannot be pulled',
  },
  {
    specs: ['Burst scaling', 'Scaling should happen in predictable order', 'rolling updates and roll backs'],
    because: 'no probe fails',
  },
  { specs: ['Should recreate evicted statefulset'], because: 'pods run though their host port is taken' },
  {
    specs: ['should serve a basic image', 'Guestbook application', 'Kubectl expose', 'Update Demo', 'Kubectl logs'],
    because: asksImages,
  },
];

export const reasonsInTheSimulator: readonly Reason[] = [
  {
    specs: ['Burst scaling', 'Scaling should happen in predictable order', 'rolling updates and roll backs'],
    because: 'no file of a container can be moved away, by which its probe would fail',
  },
  { specs: ['Should recreate evicted statefulset'], because: 'pods run though their host port is taken' },
  { specs: ['Guestbook application', 'Update Demo'], because: asksImages },
];

export const reasonFor = (reasons: readonly Reason[], spec: string): string | undefined =>
  reasons.find(({ specs }) => specs.some((part) => spec.includes(part)))?.because;
