/** A source with a list in JSON from the test, split into chunks of any size. */

import { type ListEnvelope, splitList } from '@fleet/kube/list-splitter.ts';
import type { ListAnswer, Source } from '../merge/source.ts';

export interface FakeList {
  text: string;
  chunk?: number;
  /** Breaks the body off after this many bytes. */
  cutAt?: number;
}

async function* bytesOf({ text, chunk = 16, cutAt }: FakeList): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < (cutAt ?? bytes.length); at += chunk) {
    yield bytes.subarray(at, Math.min(at + chunk, cutAt ?? bytes.length));
  }
  if (cutAt !== undefined) throw new Error('connection reset');
}

export async function listOf(list: FakeList): Promise<ListAnswer> {
  const parts = splitList(bytesOf(list));
  const first = await parts.next();
  if (first.done || first.value.is !== 'head') throw new Error('a list without a head');
  const head = first.value.envelope;
  let end: ListEnvelope = head;
  async function* items(): AsyncGenerator<Buffer[], void, undefined> {
    for await (const part of parts) {
      if (part.is === 'items') yield part.items;
      else if (part.is === 'end') end = part.envelope;
    }
  }
  return { is: 'list', head, items: items(), end: () => end };
}

export const sourceOf = (cluster: string, list: FakeList): Source => ({
  cluster,
  list: () => listOf(list),
  watch: () => Promise.reject(new Error('no watch was expected')),
  canWatch: () => Promise.reject(new Error('no watch was expected')),
  hasLost: async () => false,
});
