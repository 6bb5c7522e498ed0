/** Two processes with one leader, which has its fault at each of some writes. */

import { hurry } from './hurry.ts';
import type { Played } from './play.ts';
import { type LeaderFault, Replicas } from './replicas.ts';

export interface ReplicasSwept {
  /** How often another one led. */
  leaders: number;
  failures: string[];
}

export async function replicasSweep(
  { states: expected }: Played,
  fault: LeaderFault,
  writes: readonly number[],
  seed: string,
): Promise<ReplicasSwept> {
  using _hurry = hurry(10);
  const swept: ReplicasSwept = { leaders: 0, failures: [] };
  const play = async (at: number): Promise<void> => {
    await using replicas = new Replicas({ seed: `${seed} ${fault} ${at}`, fault, at, expected });
    try {
      const leaders = await replicas.play();
      swept.leaders += leaders;
    } catch (error) {
      swept.failures.push(`the leader ${fault} at write ${at}, seed ${seed}: ${(error as Error).message}`);
    }
  };
  await Promise.all(writes.map(play));
  return swept;
}
