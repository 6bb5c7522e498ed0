/** Plays the scenario with every fault at many writes, some plays at a time, and compares each with a play without faults. */

import type { Fault, Plan } from './gate.ts';
import { hurry } from './hurry.ts';
import { type Played, Player } from './play.ts';

export interface Play {
  plan: Plan;
  again?: boolean;
}

export interface Swept {
  plays: number;
  faults: number;
  /** One for each play that came to something else. */
  failures: string[];
}

/** They wait for most of their time. */
const atOnce = 8;

export const titleOf = ({ plan: { fault, at }, again }: Play): string =>
  `${fault} at write ${at}${again ? ', again and again' : ''}`;

/** Without faults. */
export async function playedThrough(seed: string): Promise<Played & { writesAtRest: string[] }> {
  using _hurry = hurry(10);
  await using player = new Player({ seed });
  const played = await player.play();
  return { ...played, writesAtRest: await player.writesAtRest() };
}

export async function sweep(reference: Played, plays: readonly Play[], seed: string): Promise<Swept> {
  using _hurry = hurry(10);
  const swept: Swept = { plays: 0, faults: 0, failures: [] };
  const waiting = [...plays];
  const worker = async (): Promise<void> => {
    for (let play = waiting.shift(); play; play = waiting.shift()) {
      const title = titleOf(play);
      await using player = new Player({ seed: `${seed} ${title}`, expected: reference.states, ...play });
      try {
        const { faults } = await player.play();
        swept.faults += faults;
      } catch (error) {
        swept.failures.push(`${title}, seed ${seed}: ${(error as Error).message}`);
      }
      swept.plays++;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return swept;
}

export const playsAt = (fault: Fault, writes: readonly number[]): Play[] =>
  writes.map((at) => ({ plan: { fault, at } }));

/** Each process after so many writes that change something. */
export const again = (writes: readonly number[]): Play[] =>
  writes.map((at) => ({ plan: { fault: 'killed', at, effectiveOnly: true }, again: true }));
