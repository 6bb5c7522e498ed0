import { expect, test } from 'vitest';
import { defaultLimits } from './limits.ts';
import { LoginGate, type PendingLogin } from './login-gate.ts';
import { StillClock } from './testing/still-clock.ts';

function setUp(limits: Partial<typeof defaultLimits> = {}) {
  const clock = new StillClock();
  const ended: string[] = [];
  const gate = new LoginGate(clock, { ...defaultLimits, ...limits });
  const enter = (address: string) => gate.enter(address, (reason) => ended.push(`${address}: ${reason}`));
  return { clock, ended, gate, enter };
}

test('AGENT-3: a connection without a login is closed after 10 s, one with a login is not', () => {
  const { clock, ended, gate, enter } = setUp();
  enter('a');
  (enter('b') as PendingLogin).succeeded('gondor');
  clock.advance(9_999);
  expect(ended).toEqual([]);
  clock.advance(1);
  expect(ended).toEqual(['a: login took too long']);
  expect(gate.size).toBe(0);
  expect(clock.pending).toBe(0);
});

test('AGENT-3: 10 new ones a second from one address', () => {
  const { clock, enter } = setUp();
  const results = Array.from({ length: 11 }, () => enter('a'));
  expect(results.filter((result) => typeof result !== 'string')).toHaveLength(10);
  expect(results[10]).toBe('too many connections from one address');
  expect(enter('b')).not.toBeTypeOf('string');
  clock.advance(999);
  expect(enter('a')).toBeTypeOf('string');
  clock.advance(1);
  expect(enter('a')).not.toBeTypeOf('string');
});

test('AGENT-3: 50 at once', () => {
  const { enter, gate } = setUp();
  for (let at = 0; at < 50; at++) expect(enter(`address ${at}`)).not.toBeTypeOf('string');
  expect(enter('another')).toBe('too many logins at once');
  expect(gate.size).toBe(50);
});

test('AGENT-3: one address that takes all slots does not lock others out', () => {
  const { enter, ended, gate } = setUp({ loginsPerSecond: 100 });
  for (let at = 0; at < 50; at++) enter('hostile');
  expect(enter('hostile')).toBe('too many logins at once');
  expect(enter('agent')).not.toBeTypeOf('string');
  expect(ended).toEqual(['hostile: replaced by a login from another address']);
  expect(gate.size).toBe(50);
});

test('AGENT-3: nor do fifty addresses of one IPv6 host, whose network has 2^64', () => {
  const { enter, ended } = setUp({ loginsPerSecond: 100 });
  for (let at = 0; at < 50; at++) enter(`2001:db8:1:2::${at.toString(16)}`);
  expect(enter('2001:db8:1:2::ffff')).toBe('too many logins at once');
  expect(enter('203.0.113.7')).not.toBeTypeOf('string');
  expect(ended).toEqual(['2001:db8:1:2::0: replaced by a login from another address']);
});

test('AGENT-3: nor do fifty sources: the oldest login is replaced, once it has had time to log in', () => {
  const { enter, ended, clock, gate } = setUp();
  for (let at = 0; at < 50; at++) {
    enter(`10.0.0.${at}`);
    clock.advance(10);
  }
  clock.advance(1_499);
  expect(enter('203.0.113.7')).toBe('too many logins at once');
  clock.advance(1);
  expect(enter('203.0.113.7')).not.toBeTypeOf('string');
  expect(ended).toEqual(['10.0.0.0: replaced by a login from another address']);
  expect(gate.size).toBe(50);
});

test('AGENT-3: an address with a login does not replace the only one of another', () => {
  const { enter, ended, clock } = setUp();
  for (let at = 0; at < 50; at++) enter(`10.0.0.${at}`);
  clock.advance(5_000);
  expect(enter('10.0.0.7')).toBe('too many logins at once');
  expect(ended).toEqual([]);
});

test('AGENT-3: a connection without a login counts for a second, also when it is closed', () => {
  const { enter } = setUp();
  for (let at = 0; at < 10; at++) (enter('a') as PendingLogin)[Symbol.dispose]();
  expect(enter('a')).toBe('too many connections from one address');
});

test('AGENT-6: 200 agents behind one address (NAT, balancer) with two connections each reconnect within 10 s', () => {
  const { clock, enter } = setUp();
  const under: { login: PendingLogin; cluster: string; until: number }[] = [];
  let left = 400;
  let waiting = left;
  // Each login takes 0.2 s. A refused agent retries as soon as a slot may be free.
  for (let ms = 0; ms < 10_000 && left > 0; ms += 100) {
    for (const { login, cluster } of under.splice(0, under.findLastIndex(({ until }) => until <= clock.now()) + 1)) {
      login.succeeded(cluster);
      left--;
    }
    while (waiting > 0) {
      const login = enter('balancer');
      if (typeof login === 'string') break;
      waiting--;
      under.push({ login, cluster: `cluster ${waiting >> 1}`, until: clock.now() + 200 });
    }
    expect(under.length).toBeLessThanOrEqual(10);
    clock.advance(100);
  }
  expect(left).toBe(0);
});

test('AGENT-3: the owner of a token cannot log in without limit', () => {
  const { clock, enter } = setUp();
  const logIn = (cluster: string) => {
    const login = enter('a');
    if (typeof login === 'string') return false;
    login.succeeded(cluster);
    return true;
  };
  const count = (cluster: string) => Array.from({ length: 100 }, () => logIn(cluster)).filter(Boolean).length;
  expect(count('mordor')).toBe(20);
  clock.advance(1000);
  expect(count('mordor')).toBe(20);
  expect(logIn('gondor')).toBe(false);
  clock.advance(1000);
  expect(logIn('gondor')).toBe(true);
});

test('old sources are dropped', () => {
  const { enter, clock, gate } = setUp();
  for (let at = 0; at < 20_000; at++) (enter(`address ${at}`) as PendingLogin)[Symbol.dispose]();
  expect(gate.remembered).toBe(10_000);
  clock.advance(1000);
  enter('last');
  expect(gate.remembered).toBe(1);
});
