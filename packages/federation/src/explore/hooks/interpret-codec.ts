/** `ResourceInterpreterContext`, the same under the names that Karmada released (EXP-2). */

import type { AggregatedStatusItem } from '../../api/bindings.ts';
import { AnswerError, flagAt, integerAt, recordAt, shortened, textAt } from './answer-fields.ts';
import { readAnswer } from './answers.ts';
import type { HookRequest, ReviewCodec } from './codec.ts';
import type { Operation } from './hook-model.ts';
import { interpretNames } from './operation-names.ts';
import { readResponse, requestHead } from './review.ts';

const kind = 'ResourceInterpreterContext';

/** The hook reports that it could not answer. The form of its answer is valid. */
export class UnsuccessfulError extends Error {}

export const interpretCodec: ReviewCodec = {
  review(version, uid, request) {
    const name = nameOf(request.operation);
    if (name === undefined) return undefined;
    return {
      kind,
      apiVersion: `config.karmada.io/${version}`,
      request: { ...requestHead(uid, request.object, name), object: request.object, ...argumentsOf(request) },
    };
  },
  read(operation, version, uid, review, factsOf) {
    const response = readResponse(kind, version, uid, review);
    if (flagAt(response, 'successful', 'response') !== true) throw refusal(response);
    return readAnswer('interpret', operation, response, factsOf);
  },
};

const nameOf = (operation: Operation): string | undefined =>
  operation === 'packing' ? undefined : interpretNames[operation];

function argumentsOf(request: HookRequest): object {
  switch (request.operation) {
    case 'retaining':
      return { observedObject: request.observed };
    case 'revising':
      return { replicas: request.replicas };
    case 'aggregating':
      return request.items.length > 0 ? { aggregatedStatus: request.items.map(item) } : {};
    default:
      return {};
  }
}

const item = ({ clusterName, status, applied, appliedMessage, health }: AggregatedStatusItem): object => ({
  clusterName,
  ...(status ? { status } : {}),
  ...(applied ? { applied } : {}),
  ...(appliedMessage ? { appliedMessage } : {}),
  ...(health ? { health } : {}),
});

function refusal(response: Record<string, unknown>): Error {
  const status = recordAt(response, 'status', 'response');
  if (!status) return new AnswerError('response.status is missing where response.successful is not true');
  const code = integerAt(status, 'code', 'response.status') ?? 0;
  const message = textAt(status, 'message', 'response.status') ?? '';
  return new UnsuccessfulError(`it reports code ${code}: ${shortened(message)}`);
}
