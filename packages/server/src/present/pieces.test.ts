import { giveBack, newChunk } from '@fleet/client/chunk-memory.ts';
import { expect, it } from 'vitest';
import { spliced } from './marking.ts';
import { Pieces } from './pieces.ts';

const kib = 1024;

it('joins parts and insertions as `spliced` does', () => {
  const bytes = Buffer.from('abcdefgh');
  const insertions = [
    { at: 0, bytes: Buffer.from('1') },
    { at: 2, end: 4, bytes: Buffer.from('22') },
    { at: 8, bytes: Buffer.from('3') },
  ];
  const pieces = new Pieces();
  pieces.add(Buffer.from('<'));
  pieces.splice(bytes, insertions);
  pieces.splice(bytes, []);
  expect(pieces.size).toBe(1 + 10 + 8);
  expect(pieces.gather().toString()).toBe(`<${Buffer.concat([...spliced(bytes, insertions)])}abcdefgh`);
  expect(pieces.size).toBe(0);
  expect(pieces.gather().length).toBe(0);
});

it('gives memory back when what was cut from it has been copied, and not before', () => {
  const memory = newChunk(100 * kib).fill('a');
  const pieces = new Pieces();
  pieces.add(memory, 0, 10);
  pieces.cutFrom(memory);
  const meanwhile = newChunk(100 * kib);
  expect(meanwhile.buffer).not.toBe(memory.buffer);
  expect(pieces.gather().toString()).toBe('a'.repeat(10));
  expect(newChunk(100 * kib).buffer).toBe(memory.buffer);
  giveBack(meanwhile);
});
