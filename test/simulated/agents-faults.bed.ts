/** Agents that are killed, and a server that is started again (AGENT-6). Real `fleet agent` processes; needs no clusters. */

import type { Mutant } from '@fleet/bed/mutant.ts';
import { until } from '@fleet/bed/until.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  bothConnections,
  type FaultyFleet,
  maps,
  startFaultyFleet,
  untilCondition,
  untilReady,
} from './src/faulty-agents.ts';
import { beginUnderWay } from './src/under-way.ts';

type Fleet = FaultyFleet<'gondor'>;

async function start(mutant?: Mutant): Promise<Fleet> {
  const fleet = await startFaultyFleet(['gondor'], mutant ? { mutant } : {});
  onTestFinished(() => fleet[Symbol.asyncDispose]());
  return fleet;
}

/** Of the ten seconds of AGENT-6: what two condition writes take on a busy machine. */
const notReadyWithin = 15_000;
const backWithin = 10_000;

async function killOne(fleet: Fleet): Promise<string[]> {
  const { gondor } = fleet.members;
  const agent = await gondor.startAgent();
  await untilReady(fleet, 'gondor');
  await untilCondition(fleet, 'gondor', 'AgentAvailable', 'True');
  const wrong: string[] = [];
  const underWay = await beginUnderWay(fleet, gondor, () => gondor.beside.drop());
  await agent.stop('SIGKILL');
  wrong.push(...(await underWay.ended(5_000)));
  const turned = async (type: string) => {
    const took = await untilCondition(fleet, 'gondor', type, 'False', notReadyWithin).catch(() => undefined);
    if (took === undefined) wrong.push(`${type} does not turn`);
    else console.log(`${type} is False ${Math.round(took)} ms after the agent was killed`);
  };
  await Promise.all([turned('AgentAvailable'), turned('Ready')]);
  return wrong;
}

describe('AGENT-6: an agent is killed', () => {
  it('what is under way ends by NAME-8, its member is not ready, and another agent brings it back', async () => {
    const fleet = await start();
    expect(await killOne(fleet)).toEqual([]);
    expect(await fleet.api.ask(`/clusters/gondor${maps}/who`)).toMatchObject({ code: 503 });
    await fleet.members.gondor.beside.heal();
    await fleet.members.gondor.startAgent();
    const took = await untilReady(fleet, 'gondor');
    console.log(`Ready again ${Math.round(took)} ms after another agent is there`);
    // At once (CLU-3): not by the next probe, which comes every ten seconds.
    expect(took).toBeLessThan(5_000);
    expect(await fleet.api.object(`/clusters/gondor${maps}/who`)).toMatchObject({ data: { cluster: 'gondor' } });
  });

  const bugs: Record<string, { found: string; mutant: Mutant }> = {
    'AgentAvailable is not turned': {
      found: 'AgentAvailable does not turn',
      mutant: {
        file: 'server/src/controllers/agent-status.ts',
        from: 'conditionOf(cluster, tunnels.isAvailable(name))',
        to: 'conditionOf(cluster, true)',
      },
    },
    'the absence of an agent is not reported': {
      found: 'Ready does not turn',
      mutant: { file: 'server/src/agents/agent-tunnels.ts', from: "this.events.emit('absent', name);", to: '' },
    },
    'a write that may have been done is 503': {
      found: 'create: 503, not 504',
      mutant: { file: 'server/src/pass/unanswered.ts', from: 'if (cause.sent && !read)', to: 'if (!cause)' },
    },
  };
  it.each(Object.entries(bugs))('negative control: %s', async (_, { found, mutant }) => {
    expect(await killOne(await start(mutant))).toContain(found);
  });
});

/** Returns after how many milliseconds a request goes through again. `attempts`: of each connection, while nobody listens. */
async function restart(fleet: Fleet, attempts: number, mutant?: Mutant): Promise<number> {
  const { gondor } = fleet.members;
  const agent = await gondor.startAgent(mutant ? { mutant } : {});
  await untilReady(fleet, 'gondor');
  const failed = () => agent.messages.filter((text) => text.includes('connection: ')).length;
  const before = failed();
  await fleet.fleet.product.stop('SIGKILL');
  // The first is the one that was cut.
  await until('the agent has tried', () => failed() >= before + bothConnections * (1 + attempts));
  await fleet.fleet.product.startAgain();
  const begun = performance.now();
  const isThere = async () => (await fleet.api.ask(`/clusters/gondor${maps}/who`)).code === 200;
  await until('a request goes through', isThere, { every: 50 });
  return performance.now() - begun;
}

describe('AGENT-6: the server is started again', () => {
  it('agents that have waited for long are back within 10 s', async () => {
    const fleet = await start();
    // From then on its pauses are the longest.
    const took = await restart(fleet, 5);
    console.log(`back ${Math.round(took)} ms after the server serves again`);
    expect(took).toBeLessThan(backWithin);
    await untilReady(fleet, 'gondor');
  });

  it('negative control: longer pauses are noticed', async () => {
    const mutant = { file: 'tunnel/src/backoff.ts', from: '[250, 8000]', to: '[40_000, 40_000]' };
    expect(await restart(await start(), 0, mutant)).toBeGreaterThan(backWithin);
  });
});
