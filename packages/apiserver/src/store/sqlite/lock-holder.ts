/** Finds the process that has locked a file, in /proc/locks: SQLite locks bytes of its file for the whole process. */

import { readFileSync, statSync } from 'node:fs';

/** A line such as `1: POSIX  ADVISORY  WRITE 4711 08:01:131 1073741824 1073742335`. */
const lock = /^\d+: POSIX\s+ADVISORY\s+WRITE\s+(\d+)\s+[\da-f]+:[\da-f]+:(\d+)\s/gm;

/** Undefined if the system does not list it, as on macOS, or for a process of another container. */
export function lockHolder(file: string): number | undefined {
  try {
    const { ino } = statSync(file);
    for (const [, pid, inode] of readFileSync('/proc/locks', 'utf8').matchAll(lock)) {
      if (Number(inode) === ino && Number(pid) > 0) return Number(pid);
    }
  } catch {
    // The holder stays unknown.
  }
  return undefined;
}
