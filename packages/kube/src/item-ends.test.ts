import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateItemEnds } from './item-ends.build.ts';
import { ItemEnds } from './item-ends.ts';

/** The reference: the same, byte by byte. */
function byteByByte(bytes: Uint8Array): number[] {
  const found: number[] = [];
  let depth = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const character = String.fromCharCode(bytes[at]!);
    if (character === '\\') {
      if (!inString) throw new Error('a backslash outside a string');
      at++;
    } else if (character === '"') inString = !inString;
    else if (inString) continue;
    else if ('[{'.includes(character)) depth++;
    else if (']}'.includes(character) && --depth === 0) found.push(at + 1);
  }
  return found;
}

function bySimd(bytes: Uint8Array, sizes: readonly number[]): number[] {
  const ends = new ItemEnds();
  const found: number[] = [];
  let from = 0;
  for (let i = 0; from < bytes.length; i++) {
    const chunk = bytes.subarray(from, from + sizes[i % sizes.length]!);
    for (const end of ends.find(chunk)) found.push(from + end);
    from += chunk.length;
  }
  return found;
}

const orThrown = (work: () => number[]): number[] | 'thrown' => {
  try {
    return work();
  } catch {
    return 'thrown';
  }
};

const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 });

/** Mostly brackets, quotes and backslashes, so that generated texts exercise the scanner. */
const soup = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...'{}[]"\\\\,: aé{}""') }, fc.string({ maxLength: 70 })), {
    maxLength: 300,
  })
  .map((parts) => Buffer.from(parts.join('')));

describe('ItemEnds', () => {
  it('finds the same ends as byte by byte, for any bytes in any chunks', () => {
    fc.assert(
      fc.property(soup, sizes, (bytes, chunks) => {
        expect(orThrown(() => bySimd(bytes, chunks))).toEqual(orThrown(() => byteByByte(bytes)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds them in JSON with long runs of backslashes, cut anywhere', () => {
    const text = fc.array(fc.constantFrom('\\', '"', '\\\\\\\\', 'x', '{', ']'), { maxLength: 150 });
    fc.assert(
      fc.property(fc.array(text), sizes, fc.nat(), (texts, chunks, cut) => {
        const json = Buffer.from(texts.map((parts) => JSON.stringify({ a: parts.join('') })).join(','));
        const bytes = json.subarray(0, cut % (json.length + 1));
        expect(bySimd(bytes, chunks)).toEqual(byteByByte(bytes));
      }),
      { numRuns: 1_000 },
    );
  });

  it('finds them in chunks of many windows, and as many as there can be', () => {
    for (const item of ['{}', '{"a":["\\\\"]},', `{"a":"${'x'.repeat(70_000)}"}`]) {
      const bytes = Buffer.from(item.repeat(Math.ceil(200_000 / item.length)));
      expect(bySimd(bytes, [bytes.length])).toEqual(byteByByte(bytes));
    }
  });

  it('keeps the positions of several lists apart', () => {
    const [first, second] = [new ItemEnds(), new ItemEnds()];
    expect(first.find(Buffer.from('{"a":"{\\'))).toEqual([]);
    expect(second.find(Buffer.from('{"a":['))).toEqual([]);
    expect(first.find(Buffer.from('"}"}{}'))).toEqual([4, 6]);
    expect(second.find(Buffer.from('{}]}{'))).toEqual([4]);
  });

  it('is what its source assembles to', async () => {
    const generated = new URL('generated/item-ends.ts', import.meta.url);
    expect(await readFile(generated, 'utf8')).toBe(await generateItemEnds());
  });
});
