import { expect, it } from 'vitest';
import { DocumentStore } from './document-store.ts';

const document = (size: number) => ({ bytes: Buffer.alloc(size), digest: '' });

it('LIMIT-2: holds so many bytes, and gives up what was used longest ago', () => {
  const store = new DocumentStore(100);
  for (const key of ['a', 'b', 'c']) store.put(key, document(30));
  store.get('a');
  store.put('d', document(40));
  expect(['a', 'b', 'c', 'd'].filter((key) => store.has(key))).toEqual(['a', 'c', 'd']);
  store.put('d', document(20));
  expect(store.size).toBe(80);
  store.put('huge', document(51));
  expect(store.get('huge')).toBeUndefined();
  expect(store.size).toBe(80);
});
