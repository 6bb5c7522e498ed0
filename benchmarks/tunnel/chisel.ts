/** chisel: SSH in a WebSocket, with a port of its server that leads to the member. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaryPath, chisel } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import { Child } from '@fleet/bed/child.ts';
import { freePort, givePortBack } from '@fleet/bed/ports.ts';
import { until } from '@fleet/bed/until.ts';
import type { OtherTunnel } from './konnectivity.ts';

export async function startChisel(memberPort: number): Promise<OtherTunnel> {
  await build([chisel]);
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'fleet-bench-chisel-'));
  stack.defer(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'logs'));
  const [port, target] = [await freePort(), await freePort()];
  stack.defer(() => [port, target].forEach(givePortBack));
  const run = randomUUID();
  const start = (name: string, args: string[]) => {
    const child = new Child({ name, path: binaryPath(chisel), args, folder, run });
    stack.defer(() => child.end('SIGKILL'));
    return child;
  };
  const listen = ['--host', '127.0.0.1', '--port', `${port}`];
  const server = start('server', ['server', ...listen, '--reverse', '--auth', 'agent:secret']);
  const remote = `R:127.0.0.1:${target}:127.0.0.1:${memberPort}`;
  const client = start('client', ['client', '--auth', 'agent:secret', `http://127.0.0.1:${port}`, remote]);
  const isOpen = async () => {
    const socket = connect(target, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    return true;
  };
  await until('chisel is connected', isOpen, { failed: Promise.race([server.ended, client.ended]) });
  const running = stack.move();
  return {
    apiEndpoint: `https://127.0.0.1:${target}`,
    pid: client.pid,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
