/** What a process takes while something is done: the most memory it held, its CPU time, and how long it waited for a CPU. */

import { readFileSync, writeFileSync } from 'node:fs';

const fieldInMb = (pid: number, field: string): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
};

/** What it holds now, in MiB. */
export const memoryOf = (pid: number): number => fieldInMb(pid, 'VmRSS');

/** The growth over what it held before, in MiB. */
export async function peakGrowth(pid: number, work: () => Promise<unknown>): Promise<{ before: number; peak: number }> {
  const before = memoryOf(pid);
  // Forgets the high-water mark so far.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  await work();
  return { before, peak: fieldInMb(pid, 'VmHWM') };
}

/** Clock ticks of Linux, whatever the kernel's own. */
const ticksPerSecond = 100;

const cpuOf = (pid: number): number => {
  // Behind the name, which may hold spaces: state is the third field, utime and stime the 14th and 15th.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
};

/** The CPU time of all threads of a process, or of several, in milliseconds. */
export async function cpuTime(pids: number | readonly number[], work: () => Promise<unknown>): Promise<number> {
  const all = () => [pids].flat().reduce((sum, pid) => sum + cpuOf(pid), 0);
  const before = all();
  await work();
  return all() - before;
}

/** How long its first thread has been ready and had no CPU, in milliseconds: what it is late by and cannot help. */
export function waitedForCpu(pid: number): number {
  // Nanoseconds: of running, of waiting, and how often.
  const [, waited] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(waited) / 1e6;
}
