/** What a member has seen of some work, by its own audit log. */

import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '@fleet/bed/audit-entry.ts';
import type { Member } from '@fleet/bed/member.ts';
import { openWitness } from '@fleet/bed/witness.ts';

/**
 * Starts looking; the returned function returns all that has ended since.
 * The bed's audit logs are on disk before answers go out: what came before a question of our own stands before its line,
 * and that line stands there once we have its answer. So nothing is waited for, and nothing is missing.
 */
export async function watchMember({ auditLog, api }: Member): Promise<() => Promise<AuditEntry[]>> {
  const witness = await openWitness(auditLog);
  const mark = witness.mark();
  return async () => {
    const last = `/version?last=${randomUUID()}`;
    await api.ask(last);
    const entries = await witness.since(mark);
    const end = entries.findIndex(({ requestURI }) => requestURI === last);
    if (end < 0) throw new Error(`${auditLog} does not hold what was asked last`);
    return entries.slice(0, end);
  };
}
