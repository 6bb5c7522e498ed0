/** Sends an access review to one place, and reads its answer. */

import { StatusError } from '@fleet/kube/status.ts';
import type { Incoming, Reply } from '../http/message.ts';
import { pass, type Route } from '../pass/pass.ts';
import { discard, unreadable, wholeAnswer } from '../pass/whole-answer.ts';
import type { ClusterName, PlacelessTarget } from '../target/target.ts';

export interface Question {
  target: PlacelessTarget;
  /** Throws if a place cannot be tried at all. */
  routeTo(cluster: ClusterName): Route;
  incoming: Incoming;
}

export type Opinion =
  | { cluster: ClusterName; is: 'status'; status: object }
  /** The place does not answer this user, or not this review. */
  | { cluster: ClusterName; is: 'no' }
  | { cluster: ClusterName; is: 'nothing' };

const deadline = 5_000;

/** The status of the review in the answer; undefined if the answer is not a review. */
export async function askPlace(
  { target, routeTo, incoming }: Question,
  cluster: ClusterName,
): Promise<{ reply: Reply; status: object | undefined }> {
  const headers = { ...incoming.headers, accept: 'application/json', 'accept-encoding': 'identity' };
  const reply = await pass(routeTo(cluster), target, { ...incoming, headers });
  if (reply.is !== 'plain' || reply.status !== 201) return { reply, status: undefined };
  try {
    using answer = await wholeAnswer(reply);
    const { status } = JSON.parse(String(answer.view())) as { status?: unknown };
    if (!isWellFormed(status ?? {})) throw new Error('no status of a review');
    return { reply, status: (status ?? {}) as object };
  } catch (cause) {
    throw unreadable(cluster, cause);
  }
}

/** For one of many places: an error counts as no answer. */
export async function opinionOf(question: Question, cluster: ClusterName): Promise<Opinion> {
  const { incoming } = question;
  const signal = AbortSignal.any([incoming.signal, AbortSignal.timeout(deadline)]);
  try {
    const { reply, status } = await askPlace({ ...question, incoming: { ...incoming, signal } }, cluster);
    if (status !== undefined) return { cluster, is: 'status', status };
    if (reply.is === 'plain') await discard(reply);
    return { cluster, is: reply.status < 500 && reply.status !== 429 ? 'no' : 'nothing' };
  } catch (error) {
    if (incoming.signal.aborted) throw error;
    // A user whose name must not be sent to the member has no permissions there (IMP-5).
    return { cluster, is: error instanceof StatusError && error.code === 403 ? 'no' : 'nothing' };
  }
}

const isTexts = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((one) => typeof one === 'string'));

/** Checks the fields that are used: an invalid answer of one member must not break the merged one. */
function isWellFormed(status: unknown): boolean {
  if (typeof status !== 'object' || status === null) return false;
  const { resourceRules, nonResourceRules, reason, evaluationError } = status as Record<string, unknown>;
  const isRule = (rule: unknown) =>
    typeof rule === 'object' && rule !== null && 'verbs' in rule && Object.values(rule).every(isTexts);
  const areRules = (rules: unknown) => rules == null || (Array.isArray(rules) && rules.every(isRule));
  const isText = (text: unknown) => text === undefined || typeof text === 'string';
  return [resourceRules, nonResourceRules].every(areRules) && [reason, evaluationError].every(isText);
}
