import { expect, test } from 'vitest';
import { type ClusterState, ClusterStates } from './cluster-states.ts';

const kinds: readonly ClusterState[] = [
  { phase: 'initial', begun: false },
  { phase: 'initial', begun: true },
  { phase: 'asked', from: '5', level: true },
  { phase: 'asked', from: '5', level: false },
  { phase: 'live', from: '5', passed: true },
  { phase: 'live', from: '5', passed: false },
  { phase: 'absent' },
  { phase: 'refused' },
];

function isApart(state: ClusterState): boolean {
  switch (state.phase) {
    case 'initial':
      return state.begun;
    case 'asked':
      return !state.level;
    case 'live':
      return !state.passed;
    default:
      return false;
  }
}

/** Numbers from a seed: the same each time. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state >> 8;
  }
}

test('counts agree with the clusters, whatever happens to them', () => {
  const states = new ClusterStates();
  const model = new Map<string, ClusterState>();
  const next = numbers(7);
  for (let step = 0; step < 5_000; step++) {
    const cluster = `m${next.next().value % 12}`;
    if (next.next().value % 5 === 0) {
      states.delete(cluster);
      model.delete(cluster);
    } else {
      const state = kinds[next.next().value % kinds.length]!;
      states.set(cluster, state);
      model.set(cluster, state);
    }
    const all = [...model.values()];
    const following = all.filter(({ phase }) => phase === 'live' || phase === 'asked');
    expect({ initial: states.initial, following: states.following, apart: states.apart }).toEqual({
      initial: all.filter(({ phase }) => phase === 'initial').length,
      following: following.length,
      apart: all.filter(isApart).length,
    });
    const positions = [...states.positions(() => undefined).values()];
    expect(positions.filter((position) => position !== null)).toHaveLength(states.following);
  }
});

test('WATCH-2: the position of a live cluster is its feed’s, of one that has not been asked the watcher’s own, of one that was sent in part null', () => {
  const states = new ClusterStates();
  states.set('a', { phase: 'live', from: '5', passed: true });
  states.set('b', { phase: 'live', from: '50', passed: false });
  states.set('c', { phase: 'asked', from: '5', level: false });
  states.set('d', { phase: 'initial', begun: false });
  states.set('e', { phase: 'initial', begun: true });
  expect(states.positions(() => '9')).toEqual(
    new Map([
      ['a', '9'],
      ['b', '50'],
      ['c', '5'],
      ['e', null],
    ]),
  );
});
