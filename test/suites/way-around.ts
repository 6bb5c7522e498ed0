/** A member that its administrator reaches, and the product does not. */

import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { isOf } from '@fleet/bed/connection-owner.ts';
import type { Member } from '@fleet/bed/member.ts';

/** A way to the member for everybody but this process. */
export async function wayAround(to: Member, pid: number): Promise<AsyncDisposable & { kubeconfig: string }> {
  const sockets = new Set<Socket>();
  const server = createServer(async (socket) => {
    for (const event of ['error', 'close']) socket.on(event, () => socket.destroy());
    if (await isOf(pid, { local: socket.remotePort!, remote: socket.localPort! })) return socket.destroy();
    const onward = connect(Number(new URL(to.server).port), '127.0.0.1');
    for (const [end, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(end.on('error', () => end.destroy()));
      // Who waits for an answer learns that none will come.
      end.on('close', () => other.end());
    }
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
