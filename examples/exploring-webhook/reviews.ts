/** Answers both kinds of review: `ExploreReview`, and Karmada's `ResourceInterpreterContext`, which has other names for the same. */

import {
  aggregate,
  dependenciesOf,
  isHealthy,
  type PatchOperation,
  pack,
  replicasOf,
  requestsOf,
  retain,
  revise,
  statusOf,
  type Workload,
} from './workload.ts';

interface Request {
  uid: string;
  operation: string;
  object: Workload;
  observedObject?: Workload;
  replicas?: number;
  aggregatedStatus?: { clusterName: string; status?: Workload['status'] }[];
}

export interface Review {
  apiVersion: string;
  kind: string;
  request: Request;
}

export function answerReview({ apiVersion, kind, request }: Review): object {
  const isExplore = kind === 'ExploreReview';
  const answer = answerOf(request, isExplore ? 'status' : 'rawStatus');
  const { uid } = request;
  if (isExplore) {
    if (!answer) throw new Error(`the operation ${request.operation} is not known`);
    return { apiVersion, kind, response: { uid, ...answer } };
  }
  const status = { code: 400, message: `the operation ${request.operation} is not known` };
  const response = answer ? { uid, successful: true, ...answer } : { uid, successful: false, status };
  return { apiVersion, kind, response };
}

function answerOf({ operation, object, ...request }: Request, statusField: string): object | undefined {
  switch (operation) {
    case 'ExploreReplica':
    case 'InterpretReplica':
      return { replicas: replicasOf(object), replicaRequirements: { resourceRequest: requestsOf(object) } };
    case 'InterpretComponent':
      return { components: [{ name: 'main', replicas: replicasOf(object) }] };
    case 'ExploreReplicaRevising':
    case 'ReviseReplica':
      return patch(revise(request.replicas ?? 0));
    case 'ExplorePacking':
      return patch(pack(object));
    case 'ExploreRetaining':
    case 'Retain':
      return patch(request.observedObject ? retain(object, request.observedObject) : []);
    case 'ExploreStatus':
    case 'InterpretStatus':
      return { [statusField]: statusOf(object) };
    case 'ExploreStatusAggregating':
    case 'AggregateStatus':
      return patch(aggregate(object, request.aggregatedStatus ?? []));
    case 'ExploreHealthy':
    case 'InterpretHealth':
      return { healthy: isHealthy(object) };
    case 'ExploreDependencies':
    case 'InterpretDependency':
      return { dependencies: dependenciesOf(object) };
    default:
      return undefined;
  }
}

/** No patch means that the object stays as it is. */
function patch(operations: PatchOperation[]): object {
  if (operations.length === 0) return {};
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') };
}
