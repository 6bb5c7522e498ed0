/**
 * Yields to the event loop between slices of long work (LIMIT-3). Each turn resumes only one task: resumed all in the same turn,
 * they would block it for the sum of their slices.
 */

const waiting: (() => void)[] = [];

export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeNext);
  });

/** A task that yields again within this call is resumed in a later turn. */
function resumeNext(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(resumeNext);
}
