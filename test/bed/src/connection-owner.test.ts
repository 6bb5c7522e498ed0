import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { connectionsTo, inodeOf, isOf } from './connection-owner.ts';

test('a connection is identified by both of its ends, not by one that closed a moment ago', () => {
  const row = (local: string, remote: string, state: string, inode: number) =>
    `   0: 0100007F:${local} 0100007F:${remote} ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1`;
  const table = ['  sl  local_address …', row('C350', '1F90', '06', 0), row('C350', '20FB', '01', 4711)].join('\n');
  expect(inodeOf(table, { local: 0xc350, remote: 0x20fb })).toBe('4711');
  expect(inodeOf(table, { local: 0xc350, remote: 0x1f91 })).toBeUndefined();
});

test('a real one is of this process, and not of another', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  expect(await isOf(process.pid, { local: socket.localPort!, remote: port })).toBe(true);
  expect(await isOf(process.ppid, { local: socket.localPort!, remote: port })).toBe(false);
  expect(await connectionsTo(process.pid, port)).toBe(1);
  expect(await connectionsTo(process.ppid, port)).toBe(0);
  socket.destroy();
  await once(socket, 'close');
  expect(await connectionsTo(process.pid, port)).toBe(0);
  server.close();
});
