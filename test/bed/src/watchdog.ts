/**
 * A process of its own that outlives the runner: when the pipe from it closes, however the runner ended,
 * it kills the processes and removes the folders of every member the runner has not released itself.
 */
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { killMarked } from './run-mark.ts';

export type WatchdogOrder = { watch: string; folder: string } | { release: string };

const watched = new Map<string, string>();
for await (const line of createInterface(process.stdin)) {
  const order = JSON.parse(line) as WatchdogOrder;
  if ('watch' in order) watched.set(order.watch, order.folder);
  else watched.delete(order.release);
}
await Promise.all(
  [...watched].map(async ([run, folder]) => {
    await killMarked(run);
    await rm(folder, { recursive: true, force: true });
  }),
);
