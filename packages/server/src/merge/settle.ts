/** Decides on a list from the members' answers: the lists to merge and the warnings, or an error. */

import { badGateway, forbidden, noSuchResource, StatusError, unavailable } from '@fleet/kube/status.ts';
import type { ClusterName } from '../target/target.ts';
import type { ListAnswer, SourceList } from './source.ts';

export interface Answered<A> {
  cluster: ClusterName;
  answer: A;
}

export interface Settled {
  /** In the order of cluster names. */
  lists: Answered<SourceList>[];
  missing: Missing[];
  warnings: string[];
}

export interface Missing {
  cluster: ClusterName;
  reason: string;
}

const having = <K extends ListAnswer['is']>(answers: readonly Answered<ListAnswer>[], is: K) =>
  answers.filter((answered): answered is Answered<Extract<ListAnswer, { is: K }>> => answered.answer.is === is);

/** `partial`: whether an unreachable member shortens the list with a warning, or fails it (LIST-4). */
export function settle(answers: readonly Answered<ListAnswer>[], partial: boolean): Settled {
  const lists = having(answers, 'list');
  const [expired] = having(answers, 'expired');
  if (expired) throw expired.answer.error;
  const [tooNew] = having(answers, 'too-new');
  if (tooNew) throw notYet(tooNew.answer.error);

  const missing = having(answers, 'missing').map(({ cluster, answer }) => ({ cluster, reason: answer.reason }));
  if (missing.length > 0 && (!partial || lists.length === 0)) throw incomplete(missing);

  const invalid = having(answers, 'invalid');
  if (lists.length === 0) throw noList(invalid[0]?.answer.error, having(answers, 'refused')[0]?.answer.error);
  return {
    lists,
    missing,
    warnings: [
      ...missing.map(({ cluster, reason }) => `cluster "${cluster}" is missing from this list: it ${reason}`),
      ...invalid.map(({ cluster, answer }) => `cluster "${cluster}" is left out: ${answer.error.message}`),
      ...warningsOf(lists),
    ],
  };
}

export const warningsOf = (lists: readonly Answered<SourceList>[]): string[] =>
  lists.flatMap(({ answer }) => answer.warning ?? []);

/** With the member's message. How soon to retry is the same for all members (RV-6). */
export const notYet = ({ code, reason, message, details }: StatusError): StatusError =>
  new StatusError(code, reason, message, { ...details, retryAfterSeconds: 1 });

/** Without `Retry-After`: reflectors back off by themselves, and client-go would repeat the request ten times. */
export function incomplete(missing: readonly Missing[]): StatusError {
  const named = missing.map(({ cluster, reason }) => `"${cluster}" ${reason}`).join(', ');
  const names = missing.map(({ cluster }) => cluster).join(',');
  return unavailable(
    `the list would be incomplete: ${missing.length === 1 ? 'cluster' : 'clusters'} ${named}; to list the others add the label selector 'clusterspace notin (${names})' or partial=true to the query`,
    { causes: missing.map(({ cluster, reason }) => ({ reason: 'ClusterMissing', message: reason, field: cluster })) },
  );
}

function noList(invalid: StatusError | undefined, refused: StatusError | undefined): StatusError {
  if (invalid) return invalid;
  // The member's own message names the missing permission.
  if (refused) return forbidden(refused.message, asResource(refused), refused.details?.name);
  return noSuchResource();
}

const asResource = ({ details }: StatusError) =>
  details?.kind ? { group: details.group ?? '', resource: details.kind } : undefined;

/** A member whose answer began well and then broke off or became invalid. */
export const brokenAnswer = (cluster: ClusterName, cause: unknown): StatusError =>
  badGateway(`cluster "${cluster}" broke off its answer`, { cause });
