import { expect, it } from 'vitest';
import type { AgentConnection } from './agent-connection.ts';
import { ClusterAgents } from './cluster-agents.ts';

interface Known {
  instance: string;
  kind?: AgentConnection['kind'];
  streams?: number;
  lastSeen?: number;
}

const connectionOf = ({ instance, kind = 'any', streams = 0, lastSeen = 100_000 }: Known): AgentConnection =>
  ({
    cluster: 'gondor',
    instance,
    kind,
    streams,
    lastSeen,
    targets: new Set(['kubernetes']),
  }) as unknown as AgentConnection;

function orderOf(known: readonly Known[], avoid?: AgentConnection): string[] {
  const agents = new ClusterAgents();
  for (const one of known) agents.add(connectionOf(one));
  const found = agents.candidates({ cluster: 'gondor', target: 'kubernetes', kind: 'interactive', avoid });
  return found.map(({ instance, kind }) => `${instance} ${kind}`);
}

it('the right kind first, then those with the fewest streams, one of each agent', () => {
  const known: Known[] = [
    { instance: 'a', kind: 'bulk', streams: 0 },
    { instance: 'a', kind: 'interactive', streams: 5 },
    { instance: 'b', kind: 'interactive', streams: 3 },
    { instance: 'c', kind: 'bulk', streams: 0 },
  ];
  expect(orderOf(known)).toEqual(['b interactive', 'a interactive', 'c bulk']);
  expect(orderOf(known, connectionOf({ instance: 'b' }))).toEqual(['a interactive', 'c bulk', 'b interactive']);
});

it('AGENT-6: a silent one comes last, until it is closed', () => {
  const silent = { instance: 'a', kind: 'interactive', lastSeen: 80_000 } as const;
  expect(orderOf([silent, { instance: 'b', kind: 'bulk', streams: 9 }])).toEqual(['b bulk', 'a interactive']);
  // If all are silent, their order does not change.
  expect(orderOf([silent, { instance: 'b', kind: 'bulk', lastSeen: 79_000 }])).toEqual(['a interactive', 'b bulk']);
  // Keepalives have that interval.
  expect(
    orderOf([
      { ...silent, lastSeen: 90_000 },
      { instance: 'b', kind: 'bulk' },
    ]),
  ).toEqual(['a interactive', 'b bulk']);
});
