import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const taken = new Set<number>();

/**
 * A loopback port that nobody listens on. From below the range the kernel gives to outgoing connections,
 * so that only another bed could take it before we do; who finds it taken asks for another.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (taken.has(port)) continue;
    taken.add(port);
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  }
}

export function givePortBack(port: number): void {
  taken.delete(port);
}
