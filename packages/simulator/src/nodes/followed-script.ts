/**
 * Computes how long a container's shell script runs, and how it ends. It follows the steps of the built-in shell, with the same
 * files, but without waiting: the result is known when the container starts.
 */

import { Unsupported } from '../shell/syntax.ts';
import type { Run } from './behaviour.ts';
import { endsWith, forever, shortly } from './program-run.ts';
import { ScriptRun } from './script-run.ts';
import { type FileChange, NotFollowed, ScriptProgress, type ScriptWorld } from './script-world.ts';

interface FollowedScript {
  run: Run;
  /** In the order of time. */
  changes: readonly FileChange[];
}

/** Undefined if the shell cannot run it, or if it depends on something unknown. */
export const followScript = (args: readonly string[], world: ScriptWorld): FollowedScript | undefined =>
  followed(world, (script) => script.shell(args));

/** For a program that is run without a shell. */
export const followProgram = (name: string, args: readonly string[], world: ScriptWorld): FollowedScript | undefined =>
  followed(world, (script) => script.program(name, args));

function followed(world: ScriptWorld, start: (script: ScriptRun) => void): FollowedScript | undefined {
  const progress = new ScriptProgress(world);
  const { lookup, directory } = world;
  const script = new ScriptRun(progress, { lookup, directory, write: () => {}, depth: 0 });
  try {
    start(script);
  } catch (error) {
    if (error instanceof Unsupported || error instanceof NotFollowed) return undefined;
    throw error;
  }
  const { changes } = progress;
  if (progress.isEndless) return { run: forever, changes };
  return { run: endsWith(script.code, Math.max(progress.seconds, shortly)), changes };
}
