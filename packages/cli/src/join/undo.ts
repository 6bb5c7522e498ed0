/** Undoes the changes of a failed join, and prints what could not be undone. */

import { describe } from '../errors.ts';
import type { Progress } from '../progress.ts';
import type { Journal } from './journal.ts';

/** The member's namespace takes most of it. Whoever pressed Ctrl-C waits no longer; pressed again, it ends at once. */
const undoDeadline = 60_000;

/** Takes back what this run made, and names what could not be taken back. */
export async function undoAll(journal: Journal, progress: Progress, within = undoDeadline): Promise<void> {
  if (journal.empty) return;
  let left: Awaited<ReturnType<Journal['undo']>> = [];
  await progress.step('Undo what this run made', async () => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`not done within ${within / 1000} s`)), within);
    left = await journal.undo(late.signal).finally(() => clearTimeout(timer));
    return left.length === 0 ? undefined : `${left.length} left behind`;
  });
  for (const { what, error } of left) progress.print(`    left behind: ${what} (${describe(error)})`);
}
