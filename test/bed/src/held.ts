/** What a process holds: files, sockets and memory, before and after a load. */

import { readdir, readFile, readlink } from 'node:fs/promises';
import type { Heap } from './heap.ts';
import { until } from './until.ts';

export interface Held {
  files: number;
  sockets: number;
  /** Of the heap and its buffers, after a full collection, in MB. */
  heap: number;
  /** What the process has of the machine's memory, in MB. */
  resident: number;
}

/** A process and its heap. */
export interface Holder {
  pid: number;
  heap: Heap;
}

const megabytes = (bytes: number) => Math.round(bytes / 1e4) / 100;

export async function held({ pid, heap }: Holder): Promise<Held> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder);
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => 'gone')));
  const files = links.filter((link) => link !== 'gone');
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return {
    files: files.length,
    sockets: files.filter((link) => link.startsWith('socket:')).length,
    heap: megabytes(await heap.collected()),
    resident: megabytes(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024),
  };
}

/** Connections that were cut are gone from both sides in a moment. */
export async function settled(holder: Holder): Promise<Held> {
  let last = await held(holder);
  const isSettled = async () => {
    const now = await held(holder);
    const same = now.sockets === last.sockets && Math.abs(now.heap - last.heap) < 0.2;
    last = now;
    return same;
  };
  await until('what is held settles', isSettled, { timeout: 20_000 });
  return last;
}

/** Connections to members that nobody needs any more are kept for a minute; then there are no more than at the start. */
export async function atRest(holder: Holder, start: Held): Promise<Held> {
  const isAtRest = async () => {
    const now = await held(holder);
    return now.sockets <= start.sockets + 4 && now;
  };
  return until('as few sockets as at the start', isAtRest, { timeout: 100_000 });
}
