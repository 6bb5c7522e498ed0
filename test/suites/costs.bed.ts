/** SEC-3: what foreign text costs is linear in its length. Each parser is fed texts of n, 2n and 4n bytes. */

import { describe, expect, it } from 'vitest';
import { apis } from './src/costs/apis.ts';
import { configurations } from './src/costs/applied.ts';
import { messages } from './src/costs/binary.ts';
import { growthOf, leastTime, type Read } from './src/costs/growth.ts';
import { members } from './src/costs/members.ts';
import { bodies, short, values, yaml } from './src/costs/parsers.ts';
import { patches } from './src/costs/patches.ts';
import { simulatedPods } from './src/costs/pods.ts';
import { requests } from './src/costs/requests.ts';
import { tables } from './src/costs/tables.ts';
import { jsonShapes, type Shape, shapes } from './src/costs/texts.ts';

/** By the text: how its time grows, where that is more than its length does. */
async function dear(read: Read, texts: readonly Shape[], length: number): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, make } of texts) {
    const growth = await growthOf(read, make, length);
    if (growth !== undefined) found[name] = growth;
  }
  return found;
}

const plain = shapes.filter(({ name }) => name.startsWith('""') && name.endsWith('""'));

const structured = Object.entries({
  ...patches,
  ...configurations,
  ...messages,
  ...tables,
  ...apis,
  ...members,
  ...requests,
  ...simulatedPods,
});

const each = (parsers: Record<string, Read>) => Object.entries(parsers);

describe('SEC-3: CPU grows with the length of', { timeout: 180_000 }, () => {
  it.each(each(short))('%s', async (_, read) => {
    expect(await dear(read, shapes, 4 * 1024)).toEqual({});
  });

  it.each(each(values))('%s', async (_, read) => {
    expect(await dear(read, shapes, 4 * 1024)).toEqual({});
  });

  it.each(each(bodies))('%s', async (_, read) => {
    expect(await dear(read, [...jsonShapes, ...plain], 8 * 1024)).toEqual({});
  });

  it.each(each(yaml))('%s', async (_, read) => {
    expect(await dear(read, [...jsonShapes, ...plain], 2 * 1024)).toEqual({});
  });

  it.each(structured)('%s', async (_, { read, shapes, length }) => {
    expect(await dear(read, shapes, length)).toEqual({});
  });
});

/** What comes with a request's head is read before anybody is known: as long as it may be, it holds the event loop no longer. */
const [longestHead, mostTime] = [60 * 1024, 50];

describe('LIMIT-3: as long as a head may be, the event loop is held for less than 50 ms by', {
  timeout: 180_000,
}, () => {
  const slow = async (read: Read, texts: readonly Shape[]) => {
    const found: Record<string, string> = {};
    for (const { name, make } of texts) {
      const taken = await leastTime(read, make(longestHead), mostTime);
      if (taken > mostTime) found[name] = `${taken.toFixed(1)} ms`;
    }
    return found;
  };

  it.each(each(short))('%s', async (_, read) => {
    expect(await slow(read, shapes)).toEqual({});
  });

  it.each(Object.entries(requests))('%s', async (_, { read, shapes }) => {
    expect(await slow(read, shapes)).toEqual({});
  });
});

describe('negative controls', { timeout: 180_000 }, () => {
  const planted: [string, Read][] = [
    ['a quadratic pattern', (text) => /\s+$/.test(text)],
    [
      'the pattern that label selectors were read by',
      (text) => /^\s*([^\s=!]+)\s*(==|=|!=)\s*([^\s=!]*)\s*$/.test(text),
    ],
  ];

  it.each(planted)('%s is noticed', async (_, read) => {
    const [space] = shapes.filter(({ name }) => name === '"a=" " "… "!"');
    // Another process may slow the shorter texts down alone, which hides the growth for once.
    await expect.poll(() => dear(read, [space!], 4 * 1024), { timeout: 60_000 }).not.toEqual({});
  });

  it('a decoder that throws for each segment is noticed', async () => {
    const decode = (text: string) => {
      for (const segment of text.split('/')) {
        try {
          decodeURIComponent(segment);
        } catch {}
      }
    };
    const read: Read = (text) => {
      for (let times = 0; times < 6; times++) decode(text);
    };
    expect(await leastTime(read, '%/'.repeat(longestHead / 2), mostTime, 2)).toBeGreaterThan(mostTime);
  });
});

/** Entries whose refusal is what is measured, with a part of the error. */
const refusedOnPurpose: Record<string, string> = {
  'what is applied against others': 'Apply failed with',
  'entries of maps in protobuf': 'unexpected EOF',
};

describe('what is measured is read, in one of its shapes at least:', { timeout: 60_000 }, () => {
  it.each(structured)('%s', async (name, { read, shapes, length }) => {
    const outcomes = await Promise.allSettled(shapes.map(async ({ make }) => read(make(length))));
    const errors = outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'none'));
    expect(errors).toContainEqual(refusedOnPurpose[name] ? expect.stringContaining(refusedOnPurpose[name]) : 'none');
  });
});
