/** A member that its administrator reaches, and the product does not. */

import { once } from 'node:events';
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Member } from '@fleet/bed/member.ts';

/** A way to the member for everybody but this process. */
export async function wayAround(to: Member, pid: number): Promise<AsyncDisposable & { kubeconfig: string }> {
  const sockets = new Set<Socket>();
  const server = createServer(async (socket) => {
    for (const event of ['error', 'close']) socket.on(event, () => socket.destroy());
    if (await isOf(pid, socket.remotePort!)) return socket.destroy();
    const onward = connect(Number(new URL(to.server).port), '127.0.0.1');
    for (const end of [socket, onward]) sockets.add(end.on('error', () => end.destroy()));
    return socket.pipe(onward).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const kubeconfig = `${to.kubeconfig}-around`;
  await writeFile(kubeconfig, (await readFile(to.kubeconfig, 'utf8')).replace(to.server, `https://127.0.0.1:${port}`));
  return {
    kubeconfig,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Whether the connection from this port of loopback belongs to a process. */
async function isOf(pid: number, port: number): Promise<boolean> {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const connections = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
  const inode = connections.find((columns) => columns[1] === local)?.[9];
  const open = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')),
  );
  return open.includes(`socket:[${inode}]`);
}
