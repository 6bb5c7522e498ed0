import { duplexPair } from 'node:stream';
import { expect, it } from 'vitest';
import { dictionary } from './dictionary.ts';
import { FrameReader } from './frame-reader.ts';
import { controlFrame, dataFrame, types, windowUpdate } from './frames.ts';
import { HeaderReader, HeaderWriter, numbers } from './header-block.ts';
import { SpdyClient } from './testing/spdy-client.ts';

/** Frames as text; pieces of data that follow each other are one. */
function decoded(pieces: readonly Buffer[]): string[] {
  const received: string[] = [];
  const headers = new HeaderReader();
  const reader = new FrameReader({
    control: ({ type, flags, payload }) => {
      const isStream = type === types.synStream;
      const rest = isStream ? [...headers.read(payload.subarray(10))].join() : payload.toString('hex');
      received.push(`${type}/${flags} ${rest}`);
    },
    data: (stream, piece, isLast) => {
      const begun = `data ${stream} `;
      const last = received.at(-1);
      if (last?.startsWith(begun) && !last.endsWith('.'))
        received.push(`${received.pop()}${piece}${isLast ? '.' : ''}`);
      else received.push(`${begun}${piece}${isLast ? '.' : ''}`);
    },
  });
  for (const piece of pieces) for (let rest = piece; rest.length > 0; ) rest = reader.take(rest);
  return received;
}

it('frames decode the same wherever they are cut', async () => {
  const client = new SpdyClient(duplexPair()[0]);
  const all = Buffer.concat([
    await client.synStream(1, { streamType: 'error', port: '80' }),
    controlFrame(types.settings, 0, numbers(0)),
    await client.synStream(3, { streamType: 'data', port: '80' }, 1),
    dataFrame(1, Buffer.from('hello'), false),
    controlFrame(types.ping, 0, numbers(1)),
    dataFrame(3, Buffer.alloc(0), true),
    windowUpdate(1, 5),
    dataFrame(1, Buffer.from('world'), true),
    controlFrame(types.rstStream, 0, Buffer.alloc(0)),
  ]);
  const whole = decoded([all]);
  expect(whole.slice(0, 4)).toEqual([
    '1/0 streamtype,error,port,80',
    '4/0 00000000',
    '1/1 streamtype,data,port,80',
    'data 1 hello',
  ]);
  expect(whole).toHaveLength(9);
  for (let cut = 1; cut < all.length; cut += 1) {
    expect(decoded([all.subarray(0, cut), all.subarray(cut)])).toEqual(whole);
  }
  for (const size of [1, 2, 3, 5, 7, 11]) {
    const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
      all.subarray(i * size, (i + 1) * size),
    );
    expect(decoded(pieces)).toEqual(whole);
  }
});

it.each([
  ['pings', 6, 5_000, 512],
  ['settings', 4, 5_000, 64],
] as const)('LIMIT-3: of many %s, some are taken in a turn', (_, type, count, most) => {
  let taken = 0;
  const reader = new FrameReader({
    control: () => {
      taken += 1;
    },
    data: () => {},
  });
  const all = Buffer.concat(Array.from({ length: count }, () => controlFrame(type, 0, numbers(1))));
  let rest = reader.take(all);
  expect(taken).toBeLessThanOrEqual(most);
  expect(rest.length).toBeGreaterThan(0);
  while (rest.length > 0) rest = reader.take(rest);
  expect(taken).toBe(count);
});

it('header blocks build on each other, for as many as there are', async () => {
  const client = new SpdyClient(duplexPair()[0]);
  const reader = new HeaderReader();
  for (let i = 0; i < 200; i += 1) {
    const headers = { streamtype: i % 2 ? 'data' : 'error', port: String(i), long: 'abc'.repeat(100 + i) };
    expect(Object.fromEntries(reader.read(await client.headerBlock(headers)))).toEqual(headers);
  }
});

it('the server’s own blocks are read by what reads the client’s', () => {
  const [reader, writer] = [new HeaderReader(), new HeaderWriter()];
  for (const headers of [new Map(), new Map([['a', 'b']]), new Map([['c', 'é']])]) {
    expect(reader.read(writer.write(headers))).toEqual(headers);
  }
});

it('the server’s own blocks end with a sync flush: Go’s reader gives nothing out before it', () => {
  const writer = new HeaderWriter();
  for (const headers of [new Map(), new Map([['a', 'b']])]) {
    expect(writer.write(headers).subarray(-5)).toEqual(Buffer.from([0, 0, 0, 0xff, 0xff]));
  }
});

it('the dictionary is that of the specification', () => {
  expect(dictionary).toHaveLength(1423);
});
