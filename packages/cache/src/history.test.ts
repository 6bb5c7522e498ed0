import { expect, it } from 'vitest';
import { History, type HistoryEntry } from './history.ts';
import type { Work } from './sliced-work.ts';
import { none, type StoredObjects } from './stored-objects.ts';

it('WATCH-6: gaps between equal lists are kept as long as the events around them', () => {
  const objects = { size: () => 100, release: () => {} } as unknown as StoredObjects;
  const history = new History({ objects, historyBytes: { used: 0 }, later: () => {} }, 0, '10');
  const append = (seq: number, position: string) =>
    history.append({ seq, type: 'MODIFIED', before: seq, after: seq, position, time: seq });
  history.skipped('15', '20');
  append(1, '30');
  history.skipped('40', '50');
  append(2, '60');
  expect(history.seqOf('17', '70')).toBe('floor');
  history.dropOldest();
  expect(history.seqOf('35', '70')).toBe(1);
  expect(history.seqOf('45', '70')).toBe('floor');
  for (let from = 70; from < 1_000; from += 5) history.skipped(String(from), String(from + 4));
  expect(history.seqOf('45', '1000')).toBe('floor');
  expect(history.seqOf('997', '1000')).toBe('floor');
  expect(history.seqOf('999', '1000')).toBe(2);
});

it('LIMIT-3: a long history from before a restore is released in slices', () => {
  const works: Work[] = [];
  const historyBytes = { used: 0 };
  let released = 0;
  const objects = { size: () => 100, release: () => void released++ } as unknown as StoredObjects;
  const history = new History({ objects, historyBytes, later: (work) => works.push(work) }, 0, '0');
  const [events, kept] = [5_000, 10];
  for (let seq = 1; seq <= events; seq++) {
    history.append({ seq, type: 'MODIFIED', before: seq, after: seq + 1, position: String(seq), time: seq });
  }
  history.trim({ milliseconds: 1e9, events: 1 }, 0, 220 * (events - kept));
  expect(history.length).toBe(events - kept);
  expect(released).toBe(2 * kept);

  history.lose(String(events));
  expect(history.length).toBe(0);
  expect(historyBytes.used).toBe(0);
  expect([history.floor, history.positionOf(history.floor)]).toEqual([events, undefined]);
  expect(released).toBe(2 * kept);
  expect(works).toHaveLength(1);
  let slices = 1;
  while (works[0]!(() => true)) slices++;
  expect(slices).toBeGreaterThan(10);
  expect(released).toBe(2 * events);
  history.append({ seq: events + 1, type: 'ADDED', before: none, after: 1, position: '7', time: 1 });
  expect(history.length).toBe(1);
});

class CountedHistory extends History {
  reads = 0;

  override entry(index: number): HistoryEntry | undefined {
    this.reads++;
    return super.entry(index);
  }
}

function historyOf(positions: readonly string[]) {
  const objects = { size: () => 100, release: () => {} } as unknown as StoredObjects;
  const history = new CountedHistory({ objects, historyBytes: { used: 0 }, later: () => {} }, 0, 'begun');
  for (const [index, position] of positions.entries()) {
    const seq = index + 1;
    history.append({ seq, type: 'MODIFIED', before: seq, after: seq, position, time: seq });
  }
  history.reads = 0;
  return history;
}

it('SEC-3: a version that is no number is looked up, however long the history is', () => {
  const numbers = historyOf(Array.from({ length: 10_000 }, (_, i) => String(i + 1)));
  expect(numbers.seqOf('x1', '10000')).toBe('floor');
  expect(numbers.seqOf('begun', '10000')).toBe(0);
  expect(numbers.reads).toBe(0);
  const others = historyOf(Array.from({ length: 10_000 }, (_, i) => `x${i + 1}`));
  expect(others.seqOf('x7000', 'x10000')).toBe(7_000);
  expect(others.seqOf('7000', 'x10000')).toBe('floor');
  expect(others.reads).toBe(0);
});

it('RV-6: a version that is no number stands for the newest state with it, as long as that is kept', () => {
  const history = historyOf(['a', 'b', 'a', 'c']);
  expect(history.seqOf('a', 'c')).toBe(3);
  history.dropOldest();
  expect(history.seqOf('a', 'c')).toBe(3);
  expect(history.seqOf('b', 'c')).toBe(2);
  for (let i = 0; i < 2; i++) history.dropOldest();
  expect(['a', 'b', 'c'].map((version) => history.seqOf(version, 'c'))).toEqual([3, 'floor', 4]);
  history.dropOldest();
  expect(['a', 'c'].map((version) => history.seqOf(version, 'c'))).toEqual(['floor', 4]);
});
