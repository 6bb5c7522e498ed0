import { duplexPair } from 'node:stream';
import { expect, it } from 'vitest';
import { WebSocketChannels } from './channels.ts';

const masked = (opcode: number, payload: Uint8Array, isFinal = true): Buffer => {
  const mask = [5, 6, 7, 8];
  const head = Buffer.from([(isFinal ? 0x80 : 0) | opcode, 0x80 | payload.length, ...mask]);
  return Buffer.concat([head, Buffer.from(payload).map((byte, index) => byte ^ mask[index % 4]!)]);
};

const all = (...bytes: number[]) => Uint8Array.from(bytes);

/** What came on each of two channels, and whether they ended. */
async function heard(pieces: readonly Buffer[], options = { isBase64: false, hasClose: true }) {
  const [near, far] = duplexPair();
  const channels = new WebSocketChannels(near, { count: 2, ...options });
  const told = ['', ''];
  [0, 1].forEach((number) => {
    channels.channel(number).on('data', (piece: Buffer) => {
      told[number] += piece.toString();
    });
    channels.channel(number).on('end', () => {
      told[number] += '.';
    });
  });
  for (const piece of pieces) {
    far.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { told, over: channels.over, far };
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

it('messages are told the same wherever they are cut; parts of one are for its channel', async () => {
  for (const size of [1, 2, 3, 7, 1_000]) {
    const pieces = Array.from({ length: Math.ceil(messages.length / size) }, (_, i) =>
      messages.subarray(i * size, (i + 1) * size),
    );
    const { told, over } = await heard(pieces);
    expect(told).toEqual(['ab.', 'cde']);
    expect(over.aborted).toBe(false);
  }
});

it('base64 is decoded by fours, wherever it is cut', async () => {
  const text = Buffer.from(`1${Buffer.from('hello').toString('base64')}`);
  const message = Buffer.concat([masked(1, text.subarray(0, 3), false), masked(0, text.subarray(3))]);
  const { told } = await heard([message.subarray(0, 8), message.subarray(8)], { isBase64: true, hasClose: false });
  expect(told).toEqual(['', 'hello']);
});

it.each([
  ['a close', masked(8, all())],
  ['a signal that is too long', masked(2, all(255, 0, 0))],
  ['a signal for no channel', masked(2, all(255, 9))],
  ['a frame without a mask', Buffer.from([0x82, 1, 0])],
])('%s ends all', async (_, piece) => {
  const { told, over, far } = await heard([piece]);
  expect(over.aborted).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toEqual(['.', '.']);
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
