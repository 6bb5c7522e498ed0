import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * Held by one builder at a time. An abstract socket instead of a file: the kernel gives it back
 * when its holder dies, however it dies, and those who wait notice by the end of a connection.
 */
export async function buildLock(folder: string, onWait: () => void = () => {}): Promise<AsyncDisposable> {
  const address = `\0fleet-bed-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  for (let waited = false; ; waited = true) {
    const server = createServer((socket) => socket.on('error', () => socket.destroy()));
    const sockets = new Set<{ destroy(): void }>();
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    try {
      server.listen(address);
      await once(server, 'listening');
      server.unref();
      return {
        async [Symbol.asyncDispose]() {
          for (const socket of sockets) socket.destroy();
          await new Promise((resolve) => server.close(resolve));
        },
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      if (!waited) onWait();
      await holderGone(address);
    }
  }
}

function holderGone(address: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.resume();
    // refused means that it has just gone
    socket.once('error', () => socket.destroy());
    socket.once('close', () => resolve());
  });
}
