import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerMemory } from './answer-memory.ts';
import { watchLines } from './watch-lines.ts';

async function* chunks(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  let from = 0;
  for (const cut of [...cuts.map((n) => n % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    yield bytes.subarray(from, cut);
    from = cut;
  }
}

const read = async (text: string, cuts: readonly number[] = []): Promise<string[]> => {
  const lines: string[] = [];
  for await (const line of watchLines(chunks(Buffer.from(text), cuts))) lines.push(line.toString());
  return lines;
};

describe('watchLines', () => {
  it('does not split on line separators inside JSON', async () => {
    const event = JSON.stringify({ type: 'ADDED', object: { data: 'a\u2028b\u2029c\u0085d\re' } });
    expect(await read(`${event}\n`)).toEqual([event]);
  });

  it('gives the same events whatever the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), fc.array(fc.nat()), async (values, cuts) => {
        const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
        expect((await read(text, cuts)).map((line) => JSON.parse(line))).toEqual(
          values.map((value) => JSON.parse(JSON.stringify(value))),
        );
      }),
    );
  });

  it('throws when the stream is cut within an event, after giving the whole ones', async () => {
    const seen: string[] = [];
    const reading = (async () => {
      for await (const line of watchLines(chunks(Buffer.from('{"a":1}\n{"b":'), [3, 9]))) seen.push(line.toString());
    })();
    await expect(reading).rejects.toThrow('within an event');
    expect(seen).toEqual(['{"a":1}']);
  });

  it('an empty stream is no event and no error', async () => {
    expect(await read('')).toEqual([]);
  });
});

describe('SEC-2: a line of a hostile member', () => {
  async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
    for (const text of texts) yield Buffer.from(text);
  }

  it.each([[['a\n', 'x'.repeat(60), 'x'.repeat(60)]], [['a\n', `${'x'.repeat(101)}\n`]], [['a\n', 'x'.repeat(101)]]])(
    'that is too long ends the watch after what came before',
    async (texts) => {
      const lines: string[] = [];
      const reading = (async () => {
        for await (const line of watchLines(chunks(...texts), new AnswerMemory(100))) lines.push(String(line));
      })();
      await expect(reading).rejects.toThrow('more than 100 bytes');
      expect(lines).toEqual(['a']);
    },
  );

  it('a line of the maximum length passes', async () => {
    const lines = await Array.fromAsync(
      watchLines(chunks('x'.repeat(60), `${'x'.repeat(40)}\n`, 'b\n'), new AnswerMemory(100)),
    );
    expect(lines.map(String)).toEqual(['x'.repeat(100), 'b']);
  });
});

describe('SEC-2: the memory of a large line', () => {
  const mib = 1024 * 1024;
  const memory = new AnswerMemory(8 * mib);
  async function* pieces(count: number, end: string): AsyncGenerator<Buffer> {
    for (let i = 0; i < count; i++) yield Buffer.alloc(mib, 'x');
    yield Buffer.from(end);
    yield Buffer.from('b\n');
  }

  it('is held while it is used, and released', async () => {
    const free: number[] = [];
    for await (const _ of watchLines(pieces(4, '\n'), memory)) free.push(memory.free);
    expect(free).toEqual([3, 4]);
    expect(memory.free).toBe(4);
  });

  it.each([
    ['a reader that leaves', 4, '\n'],
    ['one that is too long', 9, '\n'],
    ['one that breaks off', 4, ''],
  ])('is released after %s', async (_, count, end) => {
    const reading = (async () => {
      for await (const _ of watchLines(pieces(count, end), memory)) break;
    })();
    await reading.catch(() => {});
    expect(memory.free).toBe(4);
  });
});
