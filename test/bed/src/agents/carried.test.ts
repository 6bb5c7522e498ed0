import { expect, test } from 'vitest';
import { carriedIn, faultsIn } from './carried.ts';

test('streams of the API server and bytes of both directions are read from the metrics of an agent', () => {
  const metrics = [
    '# TYPE fleet_agent_streams_total counter',
    'fleet_agent_streams{target="kubernetes"} 3',
    'fleet_agent_streams_total{target="kubernetes"} 12',
    'fleet_agent_bytes_total{direction="in"} 1000',
    'fleet_agent_bytes_total{direction="out"} 24',
  ].join('\n');
  expect(carriedIn(metrics)).toEqual({ streams: 12, bytes: 1024 });
  expect(carriedIn('')).toEqual({ streams: 0, bytes: 0 });
});

test('a suite without agents, an agent that carried nothing, and a direct connection are noticed', () => {
  const used = { member: 'member1', carried: { streams: 2, bytes: 900 } };
  const unused = { member: 'member2', carried: { streams: 0, bytes: 900 } };
  expect(faultsIn({ agents: [used], direct: [] })).toEqual([]);
  // One that was started again: the other has carried something.
  expect(faultsIn({ agents: [used, { ...unused, member: 'member1' }], direct: [] })).toEqual([]);
  expect(faultsIn({ agents: [], direct: [] })).toEqual(['no member was reached through an agent']);
  expect(faultsIn({ agents: [used, unused], direct: [] })).toEqual(['no agent of member2 carried anything']);
  expect(faultsIn({ agents: [used], direct: ['a direct one'] })).toEqual(['a direct one']);
});
