/** What happens to members and registries in a run. */

import { join } from 'node:path';
import { encryptedPrefixes } from '@fleet/apiserver/api-server.ts';
import { openStore } from '@fleet/apiserver/store/open-store.ts';
import type { SimulatedFleet } from '../fleet.ts';
import { register } from '../registering.ts';
import { namespaces, resourceOf, resources } from './kinds.ts';
import { registerAll, selectorOf } from './scene.ts';

/** Members that are stopped: nothing is written to them. */
export type Stopped = Set<string>;

export type Happening = (fleet: SimulatedFleet, stopped: Stopped) => Promise<void>;

async function stop(fleet: SimulatedFleet, stopped: Stopped, name: string): Promise<void> {
  stopped.add(name);
  await fleet.members.get(name)![Symbol.asyncDispose]();
}

async function start(fleet: SimulatedFleet, stopped: Stopped, name: string): Promise<void> {
  await fleet.restart(name);
  stopped.delete(name);
}

/** What watches resume from is gone when the member is back. */
async function loseHistory({ folder }: SimulatedFleet, name: string): Promise<void> {
  await using store = await openStore({ directory: join(folder, name, 'store'), encryptedPrefixes });
  await store.compact(await store.revision());
}

const others = resources.filter(({ plural }) => plural !== 'configmaps');
const inOneNamespace = selectorOf(resourceOf('configmaps'), namespaces[0]);

/** For how many requests a member is stopped, or a resource not registered. */
const spell = 20;

/** In the order of a run, each with how many requests come after its part of the run has begun. */
const happenings: readonly (readonly [part: number, after: number, Happening])[] = [
  [
    1,
    0,
    async (fleet, stopped) => {
      await stop(fleet, stopped, 'member2');
      await start(fleet, stopped, 'member2');
    },
  ],
  [
    2,
    0,
    ({ controlPlane }) => register(controlPlane, 'all', { resourceSelectors: others.map((one) => selectorOf(one)) }),
  ],
  [
    2,
    spell,
    ({ controlPlane }) =>
      register(controlPlane, 'all', { resourceSelectors: [inOneNamespace, ...others.map((one) => selectorOf(one))] }),
  ],
  [2, 2 * spell, ({ controlPlane }) => registerAll(controlPlane)],
  [3, 0, (fleet, stopped) => stop(fleet, stopped, 'member3')],
  [3, spell, (fleet, stopped) => start(fleet, stopped, 'member3')],
  [
    4,
    0,
    async (fleet, stopped) => {
      await stop(fleet, stopped, 'member1');
      await loseHistory(fleet, 'member1');
      await start(fleet, stopped, 'member1');
    },
  ],
];
const parts = 5;

/** Spread over so many requests, for each the happening that comes before it. */
export const spread = (count: number): ReadonlyMap<number, Happening> =>
  new Map(happenings.map(([part, after, happening]) => [Math.floor((count * part) / parts) + after, happening]));
