import { beforeEach, describe, expect, it } from 'vitest';
import { Decisions } from './decisions.ts';
import { type Asked, Judge, openMore, sentMore, shownMore } from './judge.ts';
import { rowsFor } from './objects.ts';
import type { Cluster, Question } from './questions.ts';

const list: Question = {
  user: 'cp-ann',
  verb: 'list',
  resource: 'configmaps',
  namespace: 'cp-one',
  name: '',
  isSelected: false,
};
const watch: Question = { ...list, verb: 'watch' };
const all = rowsFor(list);
const asked = (from: number, questions: Asked['questions'] = [list]): Asked => ({
  request: 'list',
  questions,
  refusals: [403],
  from,
  to: from + 20,
  detail: '',
});
const rows = (...held: [Cluster, ReadonlySet<string>][]) => new Map(held);

let decisions: Decisions;
let judge: Judge;
const set = (cluster: Cluster, isAllowed: boolean, at: number, question = list) =>
  decisions.of(cluster, question).rbac.change(isAllowed, at).settle(at);
const faults = () => judge.violations.map(({ fault }) => fault);

beforeEach(() => {
  decisions = new Decisions();
  judge = new Judge(decisions);
  set('webhook-first', true, 0);
});

describe('an answer', () => {
  it('with all of the one member that allows it', () => {
    judge.answer(asked(5_000), 200, rows(['webhook-first', all]));
    expect(faults()).toEqual([]);
    expect(judge).toMatchObject({ answers: 1, decided: 2, shown: 1 });
  });

  it('with something of one that does not', () => {
    judge.answer(asked(5_000), 200, rows(['webhook-first', all], ['webhook-last', new Set(['cp-one/alpha'])]));
    expect(faults()).toContain(shownMore);
  });

  it('with a row less, and with one of another namespace', () => {
    judge.answer(asked(5_000), 200, rows(['webhook-first', all.difference(new Set(['cp-one/beta']))]));
    judge.answer(asked(5_000), 200, rows(['webhook-first', all.union(new Set(['cp-two/beta']))]));
    expect(faults()).toEqual(['without cp-one/beta', 'more than was asked for: cp-two/beta']);
  });

  it('that refuses what is allowed, and one without anything where all refuse', () => {
    judge.answer(asked(5_000), 403, rows());
    set('webhook-first', false, 6_000);
    judge.answer(asked(9_000), 200, rows());
    judge.answer(asked(9_000), 403, rows());
    expect(faults()).toEqual(['missing although it is allowed', shownMore]);
    expect(judge.revoked).toBe(2);
  });

  it('that shows what was revoked more than a second before', () => {
    set('webhook-first', false, 6_000);
    judge.answer(asked(6_900), 200, rows(['webhook-first', all]));
    expect(faults()).toEqual([]);
    judge.answer(asked(7_100), 200, rows(['webhook-first', all]));
    expect(faults()).toContain(shownMore);
  });

  it('beside another of the member itself', () => {
    judge.direct(asked(50_000), 'webhook-first', 200, all, rows());
    judge.direct(asked(50_000), 'webhook-first', 200, all, rows(['webhook-first', all]));
    expect(faults()).toHaveLength(1);
    judge.direct(asked(50_000), 'webhook-first', 403, new Set(), rows());
    expect(faults()[1]).toBe('the member answers 403, the model has true');
  });
});

describe('pages', () => {
  it('hold all of what is allowed throughout', () => {
    judge.pages(asked(5_000), 200, rows(['webhook-first', all]));
    expect(faults()).toEqual([]);
    judge.pages(asked(5_000), 200, rows());
    expect(faults()).toHaveLength(1);
  });

  it('may be refused for what was revoked', () => {
    set('webhook-first', false, 5_010);
    judge.pages(asked(5_000), 410, rows());
    expect(faults()).toEqual([]);
  });
});

describe('a watch', () => {
  beforeEach(() => set('webhook-first', true, 0, watch));

  it('begins with what may be listed; what may be watched, too, is not missing', () => {
    judge.answer(asked(5_000, [list, watch]), 200, rows(['webhook-first', all], ['webhook-last', all]));
    expect(faults()).toEqual([shownMore]);
    set('webhook-last', true, 6_000);
    judge.answer(asked(8_000, [list, watch]), 200, rows(['webhook-first', all]));
    judge.answer(asked(8_000, [list, watch]), 200, rows(['webhook-first', all], ['webhook-last', all]));
    expect(faults()).toHaveLength(1);
    judge.answer(asked(8_000, [list, watch]), 403, rows());
    expect(faults()[1]).toBe('missing although it is allowed');
  });

  it('ends when it is revoked, neither before nor later', () => {
    const open = (to: number): Asked => ({ ...asked(5_000, [watch]), to });
    judge.end(open(20_000), ['webhook-first'], 410);
    expect(faults()).toEqual(['ended with 410 without a reason']);
    set('webhook-first', false, 21_000, watch);
    judge.end(open(21_100), ['webhook-first'], 410);
    judge.event(open(22_400), 'webhook-first');
    expect(judge.open(open(22_400), 'webhook-first')).toBe(true);
    expect(faults()).toHaveLength(1);
    judge.event(open(22_700), 'webhook-first');
    expect(judge.open(open(22_700), 'webhook-first')).toBe(false);
    expect(faults().slice(1)).toEqual([sentMore, openMore]);
    expect(judge.ended).toBe(1);
  });
});
