/** Combines the answers of many places to one access review: the request is allowed if one of them allows it. */

import type { Opinion } from './opinion.ts';

/** The status of an access review. */
export interface Access {
  allowed: boolean;
  denied?: boolean;
  reason?: string;
  evaluationError?: string;
}

export const silentNote = (opinions: readonly Opinion[]): string[] => {
  const silent = opinions.filter(({ is }) => is === 'nothing').map(({ cluster }) => `"${cluster}"`);
  return silent.length === 0 ? [] : [`no answer from ${silent.join(', ')}`];
};

/** If no member allows it and some did not answer, the reason names those. */
export function anyAccess(opinions: readonly Opinion[]): Access {
  const given = opinions.flatMap((opinion) =>
    opinion.is === 'status' ? [{ cluster: opinion.cluster, access: opinion.status as Access }] : [],
  );
  const yes = given.find(({ access }) => access.allowed);
  if (yes) return { allowed: true, reason: `cluster "${yes.cluster}": ${yes.access.reason ?? 'allowed'}` };
  const errors = given.flatMap(({ cluster, access }) =>
    access.evaluationError ? [`cluster "${cluster}": ${access.evaluationError}`] : [],
  );
  const evaluationError = [...silentNote(opinions), ...errors].join('; ');
  return { allowed: false, ...(evaluationError ? { evaluationError } : {}) };
}
