import { StillClock } from '@fleet/tunnel/testing/still-clock.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { type AgentFailure, type FailureSum, FailureSums } from './failure-sums.ts';

let clock: StillClock;
let lines: FailureSum[];
let sums: FailureSums;

beforeEach(() => {
  clock = new StillClock();
  lines = [];
  sums = new FailureSums((sum) => lines.push(sum), clock);
});

const refused = (address: string, what = 'no login'): AgentFailure => ({
  event: 'AgentRefused',
  cluster: undefined,
  address,
  what,
});
const failed = (cluster: string): AgentFailure => ({
  event: 'AgentLoginFailed',
  cluster,
  address: '10.0.0.1',
  what: 'password',
});
const total = () => lines.reduce((all, { count }) => all + count, 0);

describe('AGENT-3: failures alike are one line in ten seconds', () => {
  it('the first at once, those that follow as a sum, none of them lost', () => {
    for (let at = 0; at < 1000; at++) sums.add(refused('10.0.0.1'));
    expect(lines).toEqual([{ ...refused('10.0.0.1'), count: 1 }]);
    clock.advance(9_999);
    expect(lines).toHaveLength(1);
    clock.advance(1);
    expect(lines.slice(1)).toEqual([{ ...refused('10.0.0.1'), count: 999 }]);
  });

  it('also when they go on: the sum begins the next ten seconds', () => {
    for (let second = 0; second < 60; second++) {
      sums.add(refused('10.0.0.1'));
      clock.advance(1_000);
    }
    expect(lines.map(({ count }) => count)).toEqual([1, 9, 10, 10, 10, 10, 10]);
  });

  it('what comes after ten quiet seconds is a line at once, and nothing is kept meanwhile', () => {
    sums.add(refused('10.0.0.1'));
    clock.advance(10_000);
    expect(clock.pending).toBe(0);
    sums.add(refused('10.0.0.1'));
    expect(lines.map(({ count }) => count)).toEqual([1, 1]);
  });

  it('another address, reason, cluster or kind of failure is a line of its own', () => {
    const all = [
      refused('10.0.0.1'),
      refused('10.0.0.2'),
      refused('10.0.0.1', 'too many logins at once'),
      failed('gondor'),
      failed('rohan'),
      { ...failed('rohan'), what: 'publickey' },
      { ...refused('10.0.0.1', 'password'), cluster: 'rohan' },
    ];
    for (const one of all) sums.add(one);
    expect(lines).toEqual(all.map((one) => ({ ...one, count: 1 })));
  });

  it('a network of IPv6 is one address, as before the login', () => {
    for (const host of ['1', '2', '3']) sums.add(refused(`2001:db8:1:2::${host}`));
    clock.advance(10_000);
    sums.add(refused('2001:db8:1:2::4'));
    clock.advance(10_000);
    expect(lines).toMatchObject([
      { address: '2001:db8:1:2::1', count: 1 },
      { address: '2001:db8:1:2::/64', count: 2 },
      { address: '2001:db8:1:2::4', count: 1 },
    ]);
  });

  it('at shutdown the sums are written, and what comes later too', () => {
    for (let at = 0; at < 5; at++) sums.add(refused('10.0.0.1'));
    sums.add(failed('gondor'));
    sums[Symbol.dispose]();
    expect(total()).toBe(6);
    expect(clock.pending).toBe(0);
    sums.add(refused('10.0.0.1'));
    expect(total()).toBe(7);
    expect(clock.pending).toBe(0);
  });
});

describe('AGENT-3: names and addresses that somebody makes up are bounded', () => {
  it('so many kinds of one address, the rest as others', () => {
    for (let at = 0; at < 1000; at++) sums.add(failed(`made-up-${at}`));
    expect(lines).toHaveLength(33);
    expect(lines.at(-1)).toEqual({ ...failed(''), cluster: undefined, what: 'others', count: 1 });
    clock.advance(10_000);
    expect(total()).toBe(1000);
    expect(lines).toHaveLength(34);
    // Known kinds have their line still.
    sums.add(failed('made-up-0'));
    expect(lines.at(-1)?.cluster).toBe('made-up-0');
  });

  it('another address is not concerned', () => {
    for (let at = 0; at < 1000; at++) sums.add(failed(`made-up-${at}`));
    sums.add(refused('10.0.0.2'));
    expect(lines.at(-1)).toEqual({ ...refused('10.0.0.2'), count: 1 });
  });

  it('so many addresses, the rest as others', () => {
    for (let at = 0; at < 20_000; at++) sums.add(refused(`10.1.${at >> 8}.${at & 0xff}`));
    expect(clock.pending).toBe(1_001);
    clock.advance(10_000);
    expect(total()).toBe(20_000);
    expect(lines.at(-1)).toEqual({ ...refused('others', 'others'), count: 18_999 });
    clock.advance(10_000);
    expect(clock.pending).toBe(0);
  });
});
