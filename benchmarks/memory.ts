/** How much memory a process holds, and the most it held while something was done. */

import { readFileSync, writeFileSync } from 'node:fs';

const fieldInMb = (pid: number, field: string): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
};

/** The growth over what it held before, in MiB. */
export async function peakGrowth(pid: number, work: () => Promise<unknown>): Promise<{ before: number; peak: number }> {
  const before = fieldInMb(pid, 'VmRSS');
  // Forgets the high-water mark so far.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  await work();
  return { before, peak: fieldInMb(pid, 'VmHWM') };
}
