import { expect, test } from 'vitest';
import { type Leg, Legs } from './legs.ts';

const kinds: readonly Leg[] = [
  { phase: 'initial' },
  { phase: 'asked', from: '5', level: true },
  { phase: 'asked', from: '5', level: false },
  { phase: 'live', from: '5', passed: true },
  { phase: 'live', from: '5', passed: false },
  { phase: 'absent' },
  { phase: 'refused' },
];

/** Numbers from a seed: the same each time. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state >> 8;
  }
}

test('counts agree with the clusters, whatever happens to them', () => {
  const legs = new Legs();
  const model = new Map<string, Leg>();
  const next = numbers(7);
  for (let step = 0; step < 5_000; step++) {
    const cluster = `m${next.next().value % 12}`;
    if (next.next().value % 5 === 0) {
      legs.delete(cluster);
      model.delete(cluster);
    } else {
      const leg = kinds[next.next().value % kinds.length]!;
      legs.set(cluster, leg);
      model.set(cluster, leg);
    }
    const all = [...model.values()];
    const following = all.filter(({ phase }) => phase === 'live' || phase === 'asked');
    expect({ initial: legs.initial, following: legs.following, apart: legs.apart }).toEqual({
      initial: all.filter(({ phase }) => phase === 'initial').length,
      following: following.length,
      apart: following.filter((leg) => ('passed' in leg ? !leg.passed : 'level' in leg && !leg.level)).length,
    });
    expect(legs.positions(() => undefined).size).toBe(legs.following);
  }
});

test('WATCH-2: the position of a live cluster is its feed’s, of one that has not been asked the watcher’s own', () => {
  const legs = new Legs();
  legs.set('a', { phase: 'live', from: '5', passed: true });
  legs.set('b', { phase: 'live', from: '50', passed: false });
  legs.set('c', { phase: 'asked', from: '5', level: false });
  legs.set('d', { phase: 'initial' });
  expect(legs.positions(() => '9')).toEqual(
    new Map([
      ['a', '9'],
      ['b', '50'],
      ['c', '5'],
    ]),
  );
});
