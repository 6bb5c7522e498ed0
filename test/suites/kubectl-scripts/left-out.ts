/** What the comparison leaves out, and why; the same table as in docs/reference/differences.md. */

export const leftOut: readonly (readonly [what: string, why: string])[] = [
  ['uids, times, resource versions, addresses, node ports, random name suffixes', 'each cluster makes its own'],
  ['managed fields', 'a kubelet and kwok write other fields of a pod'],
  [
    "a pod's status but phase, QoS class, PodScheduled and DisruptionTarget; Events of kubelets",
    'nodes of the bed are kwok',
  ],
  ['which node a pod is on, where several fit', 'kube-scheduler chooses among equals at random'],
  ['`status` of HorizontalPodAutoscalers', 'simulated clusters have no autoscaler'],
  [
    'the generation and trigger time of EndpointSlices and Endpoints',
    'they count how many steps a pod takes to be ready',
  ],
  [
    'how often FailedScheduling, UnexpectedJob, UnmanagedPods and NoPods were recorded',
    'once at each look at the object',
  ],
  [
    "how often a StatefulSet's pods were made, deleted and scheduled",
    'kwok deletes by name, at times the next pod, too',
  ],
  ['FailedScheduling while a cordon ends, or of a pod that is being deleted', 'it depends on who is faster'],
  [
    'messages of more than ten similar Events of an object',
    'client-go combines them at random; their number is compared',
  ],
  ['the order of endpoints and their addresses', 'it is that of addresses and hashes'],
  ['`observedGeneration` of a PodScheduled that is true', 'the binding writes it, and the kubelet once more'],
  ['Nodes but the taints and cordons of those that belong to a script', 'kwok registers other ones'],
  [
    'the Event ClusterIPNotAllocated',
    "kube-apiserver's repair of addresses may look at a Service that is just being written",
  ],
  [
    'the Events FailedToUpdateEndpoint and FailedToUpdateEndpointSlices',
    'a controller that looks at a pod before its node is known tries again',
  ],
  ['the order of lines, how often one is repeated, progress before the last line', 'they depend on time'],
];
