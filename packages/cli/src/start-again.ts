/**
 * The first start from source loads what strips types, which takes 40 MB and is never freed. Once what it made is in Node's
 * compile cache, the process takes its own place: with that cache it needs none of it.
 */

import { flushCompileCache } from 'node:module';

/** Set for the second time: whatever it loads then is needed every time. Variables that begin with FLEET are settings. */
const mark = '_FLEET_STARTED_AGAIN';

/** Of Node, and not in its documentation: without it nothing is done. */
const { moduleLoadList } = process as { moduleLoadList?: readonly string[] };

const hasStripped = (): boolean => moduleLoadList?.some((name) => name.includes('/amaro/')) ?? false;

/** Does not return if there is something to gain. `loadedLater`: files that have not been loaded yet. */
export async function startAgain(loadedLater: readonly string[]): Promise<void> {
  if (process.env[mark] || !process.env['NODE_COMPILE_CACHE'] || !process.execve || !hasStripped()) return;
  // Into the cache, too. Those of threads do not run here.
  for (const file of loadedLater) await import(file).catch(() => undefined);
  flushCompileCache();
  const env = { ...process.env, [mark]: '1' };
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], env);
}
