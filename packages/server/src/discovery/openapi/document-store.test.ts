import { expect, it } from 'vitest';
import { DocumentStore } from './document-store.ts';

const KiB = 1024;

/** In KiB, one of which is the overhead per document. */
const document = (size: number) => ({ bytes: Buffer.alloc((size - 1) * KiB), digest: '' });

it('LIMIT-2: holds so many bytes, and drops what was used longest ago', () => {
  const store = new DocumentStore(100 * KiB);
  for (const key of ['a', 'b', 'c']) store.put(key, document(30));
  store.get('a');
  store.put('d', document(40));
  expect(['a', 'b', 'c', 'd'].filter((key) => store.has(key))).toEqual(['a', 'c', 'd']);
  store.put('d', document(20));
  expect(store.size).toBe(80 * KiB);
  store.put('huge', document(52));
  expect(store.get('huge')).toBeUndefined();
  expect(store.size).toBe(80 * KiB);
});

it('SEC-2: a place that changes a document of no bytes again and again does not fill the memory', () => {
  const store = new DocumentStore(100 * KiB);
  const keys = Array.from({ length: 1_000 }, (_, index) => String(index));
  for (const key of keys) store.put(key, document(1));
  expect(keys.filter((key) => store.has(key))).toHaveLength(100);
});
