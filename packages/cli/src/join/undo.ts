import { describe } from '../errors.ts';
import type { Progress } from '../progress.ts';
import type { Journal } from './journal.ts';

/** Takes back what this run made, and names what could not be taken back. */
export async function undoAll(journal: Journal, progress: Progress): Promise<void> {
  if (journal.empty) return;
  let left: Awaited<ReturnType<Journal['undo']>> = [];
  await progress.step('Undo what this run made', async () => {
    left = await journal.undo();
    return left.length === 0 ? undefined : `${left.length} left behind`;
  });
  for (const { what, error } of left) progress.say(`    left behind: ${what} (${describe(error)})`);
}
