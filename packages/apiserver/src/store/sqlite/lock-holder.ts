/** Which process has a file locked, by what Linux lists in /proc/locks: SQLite locks bytes of its file for the whole process. */

import { readFileSync, statSync } from 'node:fs';

/** As in `1: POSIX  ADVISORY  WRITE 4711 08:01:131 1073741824 1073742335`. */
const lock = /^\d+: POSIX\s+ADVISORY\s+WRITE\s+(\d+)\s+[\da-f]+:[\da-f]+:(\d+)\s/gm;

/** Undefined where the system does not list it, such as on macOS, or for a process of another container. */
export function lockHolder(file: string): number | undefined {
  try {
    const { ino } = statSync(file);
    for (const [, pid, inode] of readFileSync('/proc/locks', 'utf8').matchAll(lock)) {
      if (Number(inode) === ino && Number(pid) > 0) return Number(pid);
    }
  } catch {
    // Nobody is named.
  }
  return undefined;
}
