/**
 * The end of npm. `npx fleet serve` and `npm run` start a shell that starts this process: a signal to npm ends the shell,
 * which passes nothing on, and SIGKILL of npm ends not even that. So npm and its shell are looked at, as long as both are
 * there.
 */

import { readFileSync } from 'node:fs';

/** A process and what it was started by. */
interface Process {
  pid: number;
  parent: number;
  command: string;
}

export interface Processes {
  /** Of this process, now. */
  parent(): number;
  /** Undefined if there is no such process. */
  find(pid: number): Process | undefined;
}

const everyMs = 500;

/** Calls `ended` once npm, or the shell that it started, is gone. Does nothing for a process that npm did not start. */
export function onNpmEnd(ended: () => void, processes: Processes = linux): Disposable {
  const chain = chainToNpm(processes);
  if (!chain) return { [Symbol.dispose]() {} };
  const timer = setInterval(() => {
    if (isWhole(chain, processes)) return;
    clearInterval(timer);
    ended();
  }, everyMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** From the parent up to npm: npm alone, or the shell of its script and npm. */
function chainToNpm(processes: Processes): Process[] | undefined {
  const parent = processes.find(processes.parent());
  if (!parent) return undefined;
  if (isNpm(parent)) return [parent];
  const above = isShell(parent) ? processes.find(parent.parent) : undefined;
  return above && isNpm(above) ? [parent, above] : undefined;
}

const isWhole = ([first, second]: readonly Process[], processes: Processes): boolean =>
  processes.parent() === first!.pid && (!second || processes.find(first!.pid)?.parent === second.pid);

/** npm sets its title to what it does, as in `npm exec fleet serve`; a shell that somebody types in is no script's. */
const isNpm = ({ command }: Process): boolean =>
  /^(npm|npx|pnpm|yarn) |\/(npm|npx|pnpm|yarn)(-cli)?\.c?js /.test(command);
const isShell = ({ command }: Process): boolean => /^(\S*\/)?(ba|da|z|k|a)?sh -c /.test(command);

const linux: Processes = {
  parent: () => process.ppid,
  find(pid) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      // The name, which may hold anything, ends with the last bracket; state and parent follow.
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return { pid, parent: Number(parent), command };
    } catch {
      return undefined;
    }
  },
};
