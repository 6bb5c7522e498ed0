/** Which process holds a connection of loopback, as Linux tells it. */

import { readdir, readFile, readlink } from 'node:fs/promises';

export interface Ends {
  /** Ports on 127.0.0.1, as the process in question sees them. */
  local: number;
  remote: number;
}

/**
 * The inode of the connection's socket in the text of `/proc/net/tcp`. By both ends: one local port serves many
 * connections at once, to different ports, and the closed ones among them are listed for a minute, without an inode.
 */
export function inodeOf(table: string, { local, remote }: Ends): string | undefined {
  const address = (port: number) => `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  return rows.find((columns) => columns[1] === address(local) && columns[2] === address(remote))?.[9];
}

export async function isOf(pid: number, ends: Ends): Promise<boolean> {
  const inode = inodeOf(await readFile('/proc/net/tcp', 'utf8'), ends);
  const open = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')),
  );
  return open.includes(`socket:[${inode}]`);
}
