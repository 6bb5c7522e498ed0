import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
