/** Links and agents that fall silent without a word: noticed within 45 s (AGENT-6). Real `fleet agent` processes; needs no clusters. */

import type { Mutant } from '@fleet/bed/mutant.ts';
import { until } from '@fleet/bed/until.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentProcess } from './src/agent-process.ts';
import { type FaultyFleet, maps, startFaultyFleet, untilCondition, untilReady } from './src/faulty-agents.ts';
import { beginUnderWay } from './src/under-way.ts';

/** AGENT-6 */
const bound = 45_000;

const names = ['frozen', 'cut-off', 'well'] as const;
type Name = (typeof names)[number];

interface Scene {
  fleet: FaultyFleet<Name>;
  agents: Record<Name, AgentProcess>;
}

async function start(mutants: { product?: Mutant; agents?: Mutant } = {}): Promise<Scene> {
  const { product, agents } = mutants;
  const fleet = await startFaultyFleet(names, product ? { mutant: product } : {});
  onTestFinished(() => fleet[Symbol.asyncDispose]());
  const started = names.map(async (name) => {
    const agent = await fleet.members[name].startAgent(agents ? { mutant: agents } : {});
    await untilReady(fleet, name);
    await untilCondition(fleet, name, 'AgentAvailable', 'True');
    return [name, agent] as const;
  });
  return { fleet, agents: Object.fromEntries(await Promise.all(started)) as Scene['agents'] };
}

/** What did not come within the bound. */
async function noticed({ fleet }: Scene, name: Name, silence: () => Promise<void> | void): Promise<string[]> {
  let begun = 0;
  const underWay = await beginUnderWay(fleet, fleet.members[name], async () => {
    begun = performance.now();
    await silence();
  });
  const since = () => performance.now() - begun;
  const turned = async (type: string): Promise<string[]> => {
    const took = await untilCondition(fleet, name, type, 'False', bound - since()).then(since, () => undefined);
    if (took === undefined) return [`${type} does not turn`];
    console.log(`${name}: ${type} is False after ${Math.round(took / 100) / 10} s`);
    return [];
  };
  const ended = async () => {
    const wrong = await underWay.ended(bound - since());
    if (wrong.length === 0) console.log(`${name}: all has ended after ${Math.round(since() / 100) / 10} s`);
    return wrong;
  };
  return (await Promise.all([ended(), turned('AgentAvailable'), turned('Ready')])).flat();
}

/** All at once: each takes as long as the bound. Returns what is wrong, by cluster. */
async function fallSilent(scene: Scene): Promise<Record<string, string[]>> {
  const { fleet, agents } = scene;
  const { link } = fleet.members['cut-off'];
  const cutOff = agents['cut-off'];
  const lost = () => cutOff.messages.filter((text) => /^(bulk|interactive) connection: /.test(text)).length;
  const agentBefore = lost();
  const [frozen, cut] = await Promise.all([
    noticed(scene, 'frozen', () => agents.frozen.signal('SIGSTOP')),
    noticed(scene, 'cut-off', () => link.drop()),
  ]);
  const agent = await until('the agent notices, too', () => lost() >= agentBefore + 2, { timeout: 5_000 }).then(
    () => [],
    () => ['the agent does not notice'],
  );
  return { frozen, 'cut-off': [...cut, ...agent] };
}

describe('AGENT-6: an agent is frozen, the link of another is a black hole', () => {
  it('both are noticed within 45 s, a third cluster is served meanwhile, and all come back', {
    timeout: 180_000,
  }, async () => {
    const scene = await start();
    const { fleet, agents } = scene;
    let isOver = false;
    const others: number[] = [];
    const asking = async () => {
      while (!isOver) others.push((await fleet.api.ask(`/clusters/well${maps}/who`)).code);
    };
    const asked = asking();
    const wrong = await fallSilent(scene);
    isOver = true;
    await asked;
    expect(wrong).toEqual({ frozen: [], 'cut-off': [] });
    expect(new Set(others)).toEqual(new Set([200]));
    agents.frozen.signal('SIGCONT');
    await fleet.members['cut-off'].link.heal();
    await Promise.all([untilReady(fleet, 'frozen'), untilReady(fleet, 'cut-off')]);
    for (const name of names) {
      expect(await fleet.api.object(`/clusters/${name}${maps}/who`)).toMatchObject({ data: { cluster: name } });
    }
  });

  const mutant: Mutant = {
    file: 'tunnel/src/limits.ts',
    from: 'keepaliveInterval: 10_000',
    to: 'keepaliveInterval: 0',
  };
  it('negative control: without keepalives of the server', { timeout: 180_000 }, async () => {
    const { frozen, 'cut-off': cut } = await fallSilent(await start({ product: mutant }));
    expect(frozen).toContain('AgentAvailable does not turn');
    expect(frozen).toContain('watch: does not end, not ended');
    expect(cut).toContain('AgentAvailable does not turn');
  });

  it('negative control: without keepalives of the agent', { timeout: 180_000 }, async () => {
    const { 'cut-off': cut } = await fallSilent(await start({ agents: mutant }));
    expect(cut).toEqual(['the agent does not notice']);
  });
});
