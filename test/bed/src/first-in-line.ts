/** A server that gets a CPU before all else on the machine, as it would on one of its own. */

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const priority = -10;

/** False where that is not allowed: only root may put anyone first. */
export function putFirst(pid: number): boolean {
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), priority);
    // Where the kernel shares the CPU between sessions, what counts is the session's.
    const session = `/proc/${pid}/autogroup`;
    if (existsSync(session)) writeFileSync(session, `${priority}`);
    return true;
  } catch {
    return false;
  }
}
