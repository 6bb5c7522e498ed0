/** `ExploreReview` of the design document, with the member's object beside the desired one for Retaining (EXP-1, EXP-3). */

import type { AggregatedStatusItem } from '../../api/bindings.ts';
import { readAnswer } from './answers.ts';
import type { HookRequest, ReviewCodec } from './codec.ts';
import { exploreNames } from './operation-names.ts';
import { readResponse, requestHead } from './review.ts';

const kind = 'ExploreReview';

export const exploreCodec: ReviewCodec = {
  review: (version, uid, request) => ({
    kind,
    apiVersion: `config.karmada.io/${version}`,
    request: {
      ...requestHead(uid, request.object, exploreNames[request.operation]),
      object: request.object,
      ...argumentsOf(request),
    },
  }),
  read: (operation, version, uid, review, factsOf) =>
    readAnswer('explore', operation, readResponse(kind, version, uid, review), factsOf),
};

function argumentsOf(request: HookRequest): object {
  switch (request.operation) {
    case 'revising':
      return { replicas: request.replicas };
    case 'retaining':
      return { observedObject: request.observed };
    case 'aggregating':
      return request.items.length > 0 ? { aggregatedStatus: request.items.map(item) } : {};
    default:
      return {};
  }
}

/** Its type has no health. */
const item = ({ clusterName, status, applied, appliedMessage }: AggregatedStatusItem): object => ({
  clusterName,
  ...(status ? { status } : {}),
  ...(applied ? { applied } : {}),
  ...(appliedMessage ? { appliedMessage } : {}),
});
