import type { BytesReply } from '@fleet/client/upstream.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openBody, replyOf } from '../testing/fake-upstream.ts';
import { readListQuery } from './list-query.ts';
import { firstPageAgain } from './page-query.ts';
import { patientParts } from './patient-page.ts';

const page = (names: string[], resourceVersion = '7') =>
  JSON.stringify({ kind: 'L', metadata: { resourceVersion }, items: names.map((name) => ({ name })) });

/** So far as its first two items, then silence. */
function beginning() {
  const { body, write } = openBody();
  write(page(['a', 'b']).slice(0, -2));
  return { reply: { status: 200, headers: {}, body } satisfies BytesReply, body };
}

/** Reads the first items, pauses, lets the member break off, and reads the rest. */
async function leftLyingFor(time: number, again: (version: string | undefined) => Promise<BytesReply> | undefined) {
  const { reply, body } = beginning();
  const names: string[] = [];
  const parts = patientParts({ reply, came: Date.now(), again });
  for await (const part of parts) {
    if (part.is !== 'items') continue;
    names.push(...part.items.map((item) => (JSON.parse(item.toString()) as { name: string }).name));
    if (names.length > 2) continue;
    vi.setSystemTime(Date.now() + time);
    body.fail(new Error('connection reset'));
  }
  return names;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('LIST-1: a slow client does not run into a member’s request timeout', () => {
  it('a page that broke off while it was not read is read on, each item once', async () => {
    const asked: unknown[] = [];
    const names = await leftLyingFor(61_000, async (version) => {
      asked.push(version);
      return replyOf(200, page(['a', 'b', 'c', 'd']));
    });
    expect(names).toEqual(['a', 'b', 'c', 'd']);
    expect(asked).toEqual(['7']);
  });

  it('one that breaks while it is read breaks the list', async () => {
    await expect(leftLyingFor(100, async () => replyOf(200, page(['a', 'b'])))).rejects.toThrow('connection reset');
  });

  it('so does one that is not the same any more, or whose version is not known', async () => {
    const other = leftLyingFor(61_000, async () => replyOf(200, page(['a', 'x', 'c'], '8')));
    await expect(other).rejects.toThrow('has another version');
    await expect(leftLyingFor(61_000, () => undefined)).rejects.toThrow('connection reset');
    const gone = leftLyingFor(61_000, () => Promise.reject(new Error('answered 410')));
    await expect(gone).rejects.toThrow('answered 410');
  });

  it('one that was asked for ahead counts from when it came', async () => {
    const { reply, body } = beginning();
    const came = Date.now() - 61_000;
    const parts = patientParts({ reply, came, again: async () => replyOf(200, page(['a', 'b', 'c'])) });
    await parts.next();
    body.fail(new Error('connection reset'));
    let count = 0;
    for await (const part of parts) if (part.is === 'items') count += part.items.length;
    expect(count).toBe(3);
  });

  it('the same page is that of just this version, or that of its token', () => {
    const query = readListQuery('labelSelector=x');
    expect(firstPageAgain(query.begin('m1'), '7', 500)).toBe(
      'labelSelector=x&limit=500&resourceVersion=7&resourceVersionMatch=Exact',
    );
    expect(firstPageAgain(query.after('t'), '7', 5)).toBe('labelSelector=x&limit=5&continue=t');
  });
});
