/** End-to-end backpressure, and the memory that unread bytes take (AGENT-7). */

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Backend, closed, echo, TunnelBed, textOf } from './testing/tunnel-bed.ts';

const mib = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function memory(): Promise<number> {
  collect();
  await delay(20);
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Sends as much as is accepted; the same bytes each time. */
function pour(socket: Socket, total: number): void {
  const piece = Buffer.alloc(256 * 1024, 'x');
  let sent = 0;
  const go = () => {
    while (sent < total) {
      sent += piece.length;
      if (!socket.write(piece)) return void socket.once('drain', go);
    }
    socket.end();
  };
  go();
}

test('a stalled reader holds at most 4 MiB, and others continue', async () => {
  await using backend = await Backend.start((socket) => pour(socket, 20 * mib));
  await using bed = await TunnelBed.start();
  bed.agent('gondor', backend);
  await bed.until(() => bed.connections('gondor').length === 2);
  const before = await memory();
  const stalled = await bed.dial('gondor');
  await delay(700);
  const [bulk] = bed.connections('gondor').filter(({ kind }) => kind === 'bulk');
  expect(bulk!.bytesIn).toBeGreaterThan(mib);
  expect(bulk!.bytesIn).toBeLessThan(4 * mib);
  // Server, agent and backend share a process: each holds its part.
  expect((await memory()) - before).toBeLessThan(12 * mib);
  const other = await bed.dial('gondor');
  let received = 0;
  other.on('data', (piece: Buffer) => {
    received += piece.length;
  });
  await once(other, 'end');
  expect(received).toBe(20 * mib);
  let late = 0;
  stalled.on('data', (piece: Buffer) => {
    late += piece.length;
  });
  await once(stalled, 'end');
  expect(late).toBe(20 * mib);
});

test('a target that does not read stops its writer', async () => {
  await using backend = await Backend.start((socket) => socket.pause());
  await using bed = await TunnelBed.start();
  bed.agent('gondor', backend);
  await bed.until(() => bed.connections('gondor').length === 2);
  const before = await memory();
  const stream = await bed.dial('gondor');
  const piece = Buffer.alloc(256 * 1024);
  let written = 0;
  const write = () => {
    while (written++ < 1000) if (!stream.write(piece)) return;
  };
  stream.on('drain', write);
  write();
  await delay(700);
  const [bulk] = bed.connections('gondor').filter(({ kind }) => kind === 'bulk');
  // Kernel buffers of the target's connection hold some megabytes, too.
  expect(bulk!.bytesOut).toBeLessThan(16 * mib);
  expect((await memory()) - before).toBeLessThan(12 * mib);
  expect(written).toBeLessThan(100);
  stream.destroy();
});

test('unread bytes are limited per cluster, over all its connections; another cluster is not affected', async () => {
  await using backend = await Backend.start((socket) => pour(socket, 50 * mib));
  await using bed = await TunnelBed.start({ limits: { unread: 6 * mib } });
  bed.agent('gondor', backend);
  bed.agent('rohan', backend);
  await bed.until(() => bed.connections('gondor').length === 2 && bed.connections('rohan').length === 2);
  const open = (cluster: string) =>
    Promise.all((['bulk', 'interactive', 'bulk', 'interactive'] as const).map((kind) => bed.dial(cluster, kind)));
  const other = await bed.dial('rohan');
  const streams = await open('gondor');
  await bed.until(() => streams.some(({ destroyed }) => destroyed));
  const cut = streams.filter(({ destroyed }) => destroyed);
  expect(cut[0]!.errored).toMatchObject({ code: 'ECONNABORTED' });
  await delay(300);
  expect(streams.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(0);
  expect(other.destroyed).toBe(false);
  expect(bed.connections('gondor')).toHaveLength(2);
});

test('keys are changed under load, by bytes and by time, and every byte arrives', async () => {
  await using backend = await Backend.start(echo);
  await using bed = await TunnelBed.start({ limits: { rekeyBytes: mib, rekeyTime: 50 } });
  bed.agent('gondor', backend);
  await bed.until(() => bed.connections('gondor').length === 2);
  const sent = Array.from({ length: 4 }, (_, at) => `${at}`.repeat(5 * mib));
  const texts = sent.map(async (text, at) => {
    const stream = await bed.dial('gondor', at % 2 === 0 ? 'bulk' : 'interactive');
    const received = textOf(stream);
    stream.end(text);
    return received;
  });
  for (const [at, text] of (await Promise.all(texts)).entries()) expect(text === sent[at]).toBe(true);
  await delay(200);
  expect(bed.connections('gondor')).toHaveLength(2);
});

test('a thousand streams leave nothing: neither channels nor sockets nor memory', async () => {
  await using backend = await Backend.start(echo);
  await using bed = await TunnelBed.start();
  bed.agent('gondor', backend);
  await bed.until(() => bed.connections('gondor').length === 2);
  const round = async (count: number) => {
    for (let done = 0; done < count; done += 25)
      await Promise.all(
        Array.from({ length: 25 }, async (_, at) => {
          const stream = await bed.dial('gondor');
          if (at % 5 === 0) return stream.destroy();
          stream.end('hello');
          expect(await textOf(stream)).toBe('hello');
          await closed(stream);
          return stream;
        }),
      );
    await bed.until(
      () => backend.sockets.size === 0 && bed.connections('gondor').every(({ streams }) => streams === 1),
    );
  };
  await round(250);
  const before = await memory();
  await round(1000);
  expect((await memory()) - before).toBeLessThan(2 * mib);
});
