/** Which process holds a connection of loopback, from Linux' tables. */

import { readdir, readFile, readlink } from 'node:fs/promises';

export interface Ends {
  /** Ports on 127.0.0.1, as the process in question sees them. */
  local: number;
  remote: number;
}

const address = (port: number) => `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * The inode of the connection's socket in the text of `/proc/net/tcp`. By both ends: one local port serves many
 * connections at once, to different ports, and the closed ones among them are listed for a minute, without an inode.
 */
export function inodeOf(table: string, { local, remote }: Ends): string | undefined {
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  return rows.find((columns) => columns[1] === address(local) && columns[2] === address(remote))?.[9];
}

/** The inodes of open sockets whose other end is this port on 127.0.0.1. */
export function inodesTo(table: string, remote: number): string[] {
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  return rows.filter((columns) => columns[2] === address(remote) && columns[9] !== '0').map((columns) => columns[9]!);
}

export async function isOf(pid: number, ends: Ends): Promise<boolean> {
  const inode = inodeOf(await table(), ends);
  return (await socketsOf(pid)).has(`socket:[${inode}]`);
}

/** How many connections to this port of loopback a process has open. */
export async function connectionsTo(pid: number, port: number): Promise<number> {
  const [text, sockets] = await Promise.all([table(), socketsOf(pid)]);
  return inodesTo(text, port).filter((inode) => sockets.has(`socket:[${inode}]`)).length;
}

const table = (): Promise<string> => readFile('/proc/net/tcp', 'utf8');

/** Of one that has ended none. */
async function socketsOf(pid: number): Promise<Set<string>> {
  const folder = `/proc/${pid}/fd`;
  const open = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return [];
    throw error;
  });
  return new Set(await Promise.all(open.map((fd) => readlink(`${folder}/${fd}`).catch(() => ''))));
}
