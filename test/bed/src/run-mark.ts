import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Every process of a member carries this variable with the member's own random value, and hands it down to what it
 * starts. So they are found without trusting names or numbers, also those that went into a session of their own.
 */
const variable = 'FLEET_BED_RUN';

export function markedEnv(run: string): NodeJS.ProcessEnv {
  return { ...process.env, [variable]: run };
}

/** The processes that carry the mark. */
export async function markedPids(run: string): Promise<number[]> {
  const mark = Buffer.from(`${variable}=${run}\0`);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const marked = await Promise.all(
    pids.map(async (pid) => {
      // gone meanwhile, or of another user: not ours
      const environment = await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0));
      return pid !== process.pid && Buffer.concat([environment, Buffer.of(0)]).includes(mark);
    }),
  );
  return pids.filter((_, index) => marked[index]);
}

/** Kills every process that carries the mark, stopped ones too, and returns when none is left. */
export async function killMarked(run: string): Promise<void> {
  for (let quiet = 0; quiet < 2; ) {
    const pids = await markedPids(run);
    for (const pid of pids) kill(pid);
    // twice: one that was between fork and exec did not carry the mark yet
    quiet = pids.length === 0 ? quiet + 1 : 0;
    await pause(10);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
