import { describe, expect, it } from 'vitest';
import { HistorySize } from './history-size.ts';

/** One write of ten bytes for each revision. */
function written(history: HistorySize, from: number, to: number): void {
  for (let revision = from; revision <= to; revision += 1) history.add(revision, 10);
}

describe('CP-1: the size of the history', () => {
  it('has no excess up to its limit, then the revision at which three quarters of it begin', () => {
    const history = new HistorySize(1_600);
    written(history, 1, 160);
    expect(history.excess).toBeUndefined();
    history.add(161, 10);
    // In parts of a sixteenth of the limit: ten revisions each.
    expect(history.excess).toBe(50);
  });

  it('what is compacted counts no more', () => {
    const history = new HistorySize(1_600);
    written(history, 1, 161);
    history.compacted(50);
    expect(history.excess).toBeUndefined();
    written(history, 162, 210);
    expect(history.excess).toBeUndefined();
    history.add(211, 10);
    expect(history.excess).toBe(100);
  });

  it('a single write that is larger than all leaves nothing of the past', () => {
    const history = new HistorySize(1_600);
    history.add(7, 2_000);
    expect(history.excess).toBe(7);
  });
});
