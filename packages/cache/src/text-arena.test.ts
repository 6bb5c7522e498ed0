import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ArenaText, TextArena } from './text-arena.ts';

const textOf = ({ page, start, end }: ArenaText): string => page.bytes.toString('latin1', start, end);

it('keeps each text until it is released, whatever else comes and goes', () => {
  const step = fc.record({ length: fc.oneof(fc.nat(2_000), fc.nat(300_000)), keep: fc.nat(12) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
      const arena = new TextArena();
      let texts: { place: ArenaText; text: string }[] = [];
      for (const [index, { length, keep }] of steps.entries()) {
        const source = Buffer.from(`<${String(index).padEnd(length, 'x')}>`);
        const text = source.toString('latin1', 1, source.length - 1);
        texts.push({ place: arena.add(source, 1, source.length - 1), text });
        if (keep === 0) {
          for (const { place } of texts) arena.release(place);
          texts = [];
        } else if (keep < 4) arena.release(texts.splice(index % texts.length, 1)[0]!.place);
        if (texts.some((one) => textOf(one.place) !== one.text)) throw new Error(`a text was lost at ${index}`);
      }
    }),
    { numRuns: 40 },
  );
});

it('reuses its pages', () => {
  const arena = new TextArena();
  const source = Buffer.alloc(100_000);
  const pages = new Set<object>();
  for (let round = 0; round < 20; round++) {
    const texts = Array.from({ length: 6 }, () => arena.add(source, 0, source.length));
    for (const text of texts) {
      pages.add(text.page);
      arena.release(text);
    }
  }
  expect(pages.size).toBeLessThanOrEqual(4);
});
