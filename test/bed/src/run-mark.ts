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

/** Kills every process that carries the mark, stopped ones too, and returns when they have released everything. */
export async function killMarked(run: string): Promise<void> {
  const dying = new Map<number, string>();
  for (let quiet = 0; quiet < 2; await pause(10)) {
    const pids = await markedPids(run);
    for (const pid of pids) {
      dying.set(pid, (await life(pid)) ?? '');
      kill(pid);
    }
    // a dying process loses its mark before it closes its ports and files
    for (const [pid, begun] of dying) if ((await life(pid)) !== begun) dying.delete(pid);
    // twice: one that was between fork and exec did not carry the mark yet
    quiet = pids.length + dying.size === 0 ? quiet + 1 : 0;
  }
}

/** When the process began; nothing if it has ended, whether or not its parent has noticed. */
async function life(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // pid (name) state …; the name may hold anything, also brackets
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
