import { duplexPair } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { WebSocketChannels } from './channels.ts';
import { ClientFrames } from './frames.ts';
import { webSocketTunnel } from './tunnel.ts';

const masked = (opcode: number, payload: Uint8Array, isFinal = true): Buffer => {
  const mask = [5, 6, 7, 8];
  const head = Buffer.from([(isFinal ? 0x80 : 0) | opcode, 0x80 | payload.length, ...mask]);
  return Buffer.concat([head, Buffer.from(payload).map((byte, index) => byte ^ mask[index % 4]!)]);
};

const all = (...bytes: number[]) => Uint8Array.from(bytes);

/** What came on each of two channels, and whether they ended. */
async function receive(pieces: readonly Buffer[], options = { isBase64: false, hasClose: true }) {
  const [near, far] = duplexPair();
  const channels = new WebSocketChannels(near, { count: 2, ...options });
  const received = ['', ''];
  [0, 1].forEach((number) => {
    channels.channel(number).on('data', (piece: Buffer) => {
      received[number] += piece.toString();
    });
    channels.channel(number).on('end', () => {
      received[number] += '.';
    });
  });
  for (const piece of pieces) {
    far.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { received, over: channels.over, far };
}

const messages = Buffer.concat([
  masked(2, all(0, 97, 98)),
  masked(2, all(1, 99), false),
  masked(9, all(1, 2)),
  masked(0, all(100, 101)),
  masked(2, all()),
  masked(2, all(7, 1)),
  masked(2, all(255, 0)),
  masked(2, all(0, 102)),
]);

it('messages are received the same wherever they are cut; parts of one are for its channel', async () => {
  for (const size of [1, 2, 3, 7, 1_000]) {
    const pieces = Array.from({ length: Math.ceil(messages.length / size) }, (_, i) =>
      messages.subarray(i * size, (i + 1) * size),
    );
    const { received, over } = await receive(pieces);
    expect(received).toEqual(['ab.', 'cde']);
    expect(over.aborted).toBe(false);
  }
});

it('base64 is decoded by fours, wherever it is cut', async () => {
  const text = Buffer.from(`1${Buffer.from('hello').toString('base64')}`);
  const message = Buffer.concat([masked(1, text.subarray(0, 3), false), masked(0, text.subarray(3))]);
  const { received } = await receive([message.subarray(0, 8), message.subarray(8)], {
    isBase64: true,
    hasClose: false,
  });
  expect(received).toEqual(['', 'hello']);
});

it.each([
  ['a close', masked(8, all())],
  ['a signal that is too long', masked(2, all(255, 0, 0))],
  ['a signal for no channel', masked(2, all(255, 9))],
  ['a frame without a mask', Buffer.from([0x82, 1, 0])],
])('%s ends all', async (_, piece) => {
  const { received, over, far } = await receive([piece]);
  expect(over.aborted).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(received).toEqual(['.', '.']);
  expect(far.read()).toEqual(Buffer.from([0x88, 2, 1000 >> 8, 1000 & 0xff]));
});

it('SEC-2: what nobody reads is left in the connection', async () => {
  const [near, far] = duplexPair();
  const channels = new WebSocketChannels(near, { count: 1, isBase64: false, hasClose: true });
  let sent = 0;
  for (; sent < 20_000 && far.writableLength < 100_000; sent += 1) {
    far.write(masked(2, new Uint8Array(120)));
    if (sent % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(sent).toBeLessThan(10_000);
  expect(channels.channel(0).readableLength).toBeLessThan(300_000);
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('SEC-2: a byte that nobody reads keeps no memory but its own', async () => {
  const [near, far] = duplexPair();
  const channels = new WebSocketChannels(near, { count: 2, isBase64: false, hasClose: true });
  channels.channel(1).resume();
  far.write(Buffer.concat([masked(2, all(0, 97)), masked(2, new Uint8Array(100).fill(1))]));
  const piece: Buffer = await vi.waitFor(() => channels.channel(0).read() ?? expect.fail('nothing came'));
  expect([piece.toString(), piece.buffer.byteLength]).toEqual(['a', 2]);
});

it('SEC-2: messages of one byte count for what they take, and go on when they are read', async () => {
  const [near, far] = duplexPair();
  const channel = new WebSocketChannels(near, { count: 1, isBase64: false, hasClose: true }).channel(0);
  const sent = 10_000;
  far.write(Buffer.concat(Array.from({ length: sent }, () => masked(2, all(0, 97)))));
  for (let turn = 0; turn < 100; turn += 1) await settled();
  expect(channel.readableLength).toBeLessThan(1_000);
  let read = 0;
  channel.on('data', (piece: Buffer) => {
    read += piece.length;
  });
  await vi.waitFor(() => expect(read).toBe(sent));
});

it('a channel that is destroyed before it was read does not hold the others up', async () => {
  const [near, far] = duplexPair();
  const channels = new WebSocketChannels(near, { count: 2, isBase64: false, hasClose: true });
  for (let left = 1_000; left > 0; left -= 1) far.write(masked(2, new Uint8Array(120)));
  far.write(masked(2, all(1, 97)));
  await vi.waitFor(() => expect(near.isPaused()).toBe(true));
  channels.channel(0).destroy();
  await vi.waitFor(() => expect(String(channels.channel(1).read())).toBe('a'));
});

it('LIMIT-3: of many pings, some are taken in a turn', () => {
  let pings = 0;
  const frames = new ClientFrames({
    ping: () => {
      pings += 1;
    },
    close() {},
    broken() {},
  });
  let rest = frames.take(Buffer.concat(Array.from({ length: 5_000 }, () => masked(9, all()))));
  expect(pings).toBeLessThanOrEqual(512);
  while (rest.length > 0) rest = frames.take(rest);
  expect(pings).toBe(5_000);
});

it('what comes behind a close is passed over', async () => {
  const [near, far] = duplexPair();
  const tunnel = webSocketTunnel(near);
  far.write(Buffer.concat([masked(2, all(97)), masked(8, all()), masked(2, all(98))]));
  expect(Buffer.concat(await Array.fromAsync(tunnel.iterator({ destroyOnReturn: false }))).toString()).toBe('a');
});
