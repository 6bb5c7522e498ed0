/** An agent whose connections are cut again and again, each time when both are used. */

import type { Mutant } from '@fleet/bed/mutant.ts';
import { until } from '@fleet/bed/until.ts';
import type { AgentProcess } from './agent-process.ts';
import { bothConnections, type FaultyFleet, type FaultyMember, maps } from './faulty-agents.ts';

/** No bug: a thousand pauses of up to 8 s would take hours. */
export const shortPauses: Mutant = { file: 'tunnel/src/backoff.ts', from: '[250, 8000]', to: '[10, 10]' };

export async function reconnect<Name extends string>(
  { api }: FaultyFleet<Name>,
  { name, link }: FaultyMember,
  agent: AgentProcess,
  times: number,
  signal: AbortSignal,
): Promise<void> {
  const paths = [`/clusters/${name}${maps}/who`, `/clusters/${name}${maps}`];
  for (let time = 0; time < times; time++) {
    signal.throwIfAborted();
    // One of each connection, so that there is a pool of it, and its member is verified.
    const areServed = async () => {
      const codes = await Promise.all(paths.map(async (path) => (await api.ask(path)).code));
      return codes.every((code) => code === 200);
    };
    await until('both connections serve', areServed, { every: 5 });
    const { connections } = agent;
    await link.reset();
    await link.heal();
    await agent.connected(connections + bothConnections);
  }
}
