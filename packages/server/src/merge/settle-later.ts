/** Decides on a later page from the members' answers. Its clusters are those of the first page: none may be left out without a warning. */

import { expired, type StatusError } from '@fleet/kube/status.ts';
import type { ClusterName } from '../target/target.ts';
import { type Answered, incomplete, type Missing, notYet } from './settle.ts';
import type { ListAnswer, SourceList } from './source.ts';

export interface SettledLater {
  lists: Answered<SourceList>[];
  missing: Missing[];
}

export interface LaterRules {
  /** Whether an unreachable member may be left out of the rest, with a warning. */
  canMiss: boolean;
  /** The error for a member whose version has expired. */
  expired(cluster: ClusterName, error: StatusError): StatusError;
}

export function settleLater(answers: readonly Answered<ListAnswer>[], rules: LaterRules): SettledLater {
  const settled: SettledLater = { lists: [], missing: [] };
  for (const { cluster, answer } of answers) {
    switch (answer.is) {
      case 'list':
        settled.lists.push({ cluster, answer });
        break;
      case 'missing':
        settled.missing.push({ cluster, reason: answer.reason });
        break;
      case 'expired':
        throw rules.expired(cluster, answer.error);
      case 'absent':
      case 'refused':
        throw gone(cluster);
      case 'too-new':
        throw notYet(answer.error);
      case 'invalid':
        throw answer.error;
      default:
        answer satisfies never;
    }
  }
  if (settled.missing.length > 0 && !rules.canMiss) throw incomplete(settled.missing);
  return settled;
}

/** PAGE-3: removed, switched off, or refusing since the first page. */
export const gone = (cluster: ClusterName): StatusError =>
  expired(
    `The provided continue parameter is too old to display a consistent list result: cluster "${cluster}" is no longer part of it. You can start a new list without the continue parameter.`,
  );

/** With kube-apiserver's message, with and without a token to continue with. */
export const expiredPage = (continueToken: string | undefined): StatusError => {
  const tooOld = 'The provided continue parameter is too old to display a consistent list result.';
  const restart = 'You can start a new list without the continue parameter';
  if (!continueToken) return expired(`${tooOld} ${restart}.`);
  return expired(
    `${tooOld} ${restart}, or use the continue token in this response to retrieve the remainder of the results. ` +
      'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
      'deleted between the time the first chunk was returned and now may show up in the list.',
    { continueToken },
  );
};
