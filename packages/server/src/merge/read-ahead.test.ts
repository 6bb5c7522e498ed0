import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ByteBudget } from './byte-budget.ts';
import { ReadAhead } from './read-ahead.ts';

/** A member that sends `count` items of ten bytes, and how many were taken from it. */
function member(count: number, fails = false) {
  const sent = { items: 0 };
  async function* items(): AsyncGenerator<Buffer[], void, undefined> {
    for (let i = 0; i < count; i++) {
      sent.items++;
      yield [Buffer.from(String(i).padStart(10))];
    }
    if (fails) throw new Error('broken');
  }
  return { sent, items: items() };
}

/** Enough turns of the event loop for everything that can go on to have gone on. */
const settled = async () => {
  for (let i = 0; i < 50; i++) await turn();
};

/** Never aborted. */
const { signal } = new AbortController();

const numbers = async (ahead: ReadAhead) => {
  const seen: number[] = [];
  for await (const items of ahead) seen.push(...items.map(Number));
  return seen;
};

describe('LIMIT-2: ReadAhead', () => {
  it('reads before anybody asks, and stops where the budget does', async () => {
    const { sent, items } = member(100);
    new ReadAhead(items, new ByteBudget(50), signal);
    await settled();
    expect(sent.items).toBe(5);
  });

  it('gives every item once, in order, whatever the budget', async () => {
    for (const total of [0, 1, 10, 55, 10_000]) {
      expect(await numbers(new ReadAhead(member(30).items, new ByteBudget(total), signal))).toEqual(
        Array.from({ length: 30 }, (_, i) => i),
      );
    }
  });

  it('never starves the one whose turn it is, though others hold the whole budget', async () => {
    const budget = new ByteBudget(50);
    new ReadAhead(member(100).items, budget, signal);
    await settled();
    expect(await numbers(new ReadAhead(member(20).items, budget, signal))).toHaveLength(20);
  });

  it('takes nothing without a budget before its turn, nor more than one at a time when a little is given back', async () => {
    const budget = new ByteBudget(50);
    budget.take(50);
    const others = Array.from({ length: 20 }, () => member(100));
    const ahead = others.map(({ items }) => new ReadAhead(items, budget, signal));
    await settled();
    const taken = () => others.map(({ sent }) => sent.items).reduce((sum, items) => sum + items);
    expect(taken()).toBe(0);
    budget.give(10);
    await settled();
    expect(taken()).toBe(1);
    // It is its turn: the budget does not delay it.
    expect((await ahead[7]![Symbol.asyncIterator]().next()).value).toHaveLength(1);
  });

  it('goes on when another gives back', async () => {
    const budget = new ByteBudget(50);
    const first = new ReadAhead(member(5).items, budget, signal);
    const second = member(100);
    await settled();
    new ReadAhead(second.items, budget, signal);
    await settled();
    expect(second.sent.items).toBe(0);
    await numbers(first);
    await settled();
    expect(second.sent.items).toBe(5);
  });

  it('LIST-1: what broke breaks the list, after what came before it', async () => {
    const ahead = new ReadAhead(member(3, true).items, new ByteBudget(1_000), signal);
    const seen: number[] = [];
    await expect(async () => {
      for await (const items of ahead) seen.push(...items.map(Number));
    }).rejects.toThrow('broken');
    expect(seen).toEqual([0, 1, 2]);
  });

  it('LIST-1: a request that is ended never ends as a shorter list', async () => {
    const request = new AbortController();
    const ahead = new ReadAhead(member(100).items, new ByteBudget(50), request.signal);
    const reading = ahead[Symbol.asyncIterator]();
    await reading.next();
    request.abort(new Error('the client is gone'));
    await expect(numbers(ahead)).rejects.toThrow('the client is gone');
  });

  it('gives everything back when the request ends half-way', async () => {
    const budget = new ByteBudget(50);
    const request = new AbortController();
    new ReadAhead(member(100).items, budget, request.signal);
    await settled();
    expect(budget.left).toBe(false);
    request.abort();
    const after = member(100);
    new ReadAhead(after.items, budget, signal);
    await settled();
    expect(after.sent.items).toBe(5);
  });
});
