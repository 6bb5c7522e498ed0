/** The parts that both reviews share: the head of a request, and the fields that every response has. */

import { isRecord } from '@fleet/kube/is-record.ts';
import type { AnyObject } from '../../api/objects.ts';
import { AnswerError, recordAt, textAt } from './answer-fields.ts';
import { groupVersionOf } from './hook-model.ts';

export function requestHead(uid: string, { apiVersion, kind, metadata }: AnyObject, operation: string): object {
  const { name, namespace } = metadata;
  return {
    uid,
    kind: { ...groupVersionOf(apiVersion), kind },
    name: name ?? '',
    ...(namespace ? { namespace } : {}),
    operation,
  };
}

/** The response to this request. The review may omit its own apiVersion and kind, but wrong ones are refused. */
export function readResponse(kind: string, version: string, uid: string, review: unknown): Record<string, unknown> {
  if (!isRecord(review)) throw new AnswerError('the answer is no object');
  const givenKind = textAt(review, 'kind', 'the answer');
  const givenVersion = textAt(review, 'apiVersion', 'the answer');
  const apiVersion = `config.karmada.io/${version}`;
  if ((givenKind ?? kind) !== kind || (givenVersion ?? apiVersion) !== apiVersion) {
    throw new AnswerError(`the answer is no ${kind} of ${apiVersion}`);
  }
  const response = recordAt(review, 'response', 'the answer');
  if (!response) throw new AnswerError('response is missing');
  if (textAt(response, 'uid', 'response') !== uid) throw new AnswerError('response.uid is not that of the request');
  return response;
}
