/**
 * Turns of the event loop for long work in slices (LIMIT-3). Each is given to one that waits: if all went on in the same turn,
 * they would hold it for as long as all their slices are.
 */

const waiting: (() => void)[] = [];

export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(giveTurn);
  });

/** What is put off within such a callback comes in the turn after. */
function giveTurn(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(giveTurn);
}
