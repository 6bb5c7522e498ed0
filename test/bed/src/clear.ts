import { rm } from 'node:fs/promises';
import { killMarked } from './run-mark.ts';

/** Ends a member by the mark of its processes, from any process, and leaves nothing of it. */
export async function clear(run: string, dir: string): Promise<void> {
  await killMarked(run);
  await rm(dir, { recursive: true, force: true });
}
