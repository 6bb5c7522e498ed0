/**
 * Federation whose process is killed at a write, or whose request fails there: at rest there is the same as without (FED-8, FED-9). On API
 * servers in memory; `FEDERATION_FAULTS=all` tries every write of every step, which takes a quarter of an hour.
 */

import { spawnSync } from 'node:child_process';
import { asMutant, type Mutant } from '@fleet/bed/mutant.ts';
import { Random } from '@fleet/differential/random.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Played } from './src/federation-faults/play.ts';
import { replicasSweep } from './src/federation-faults/replicas-sweep.ts';
import { again, playedThrough, playsAt, sweep } from './src/federation-faults/sweep.ts';

const isAll = process.env['FEDERATION_FAULTS'] === 'all';
const seed = process.env['FEDERATION_FAULTS_SEED'] ?? '1';
const minutes = isAll ? 60 : 2;

let reference: Played & { writesAtRest: string[] };
/** Of the step with the most. */
let mostWrites: number;

beforeAll(async () => {
  reference = await playedThrough(`${seed} without faults`);
  mostWrites = Math.max(...reference.writes);
}, 120_000);

/** Those from the first to the last write; in the short form the first ones, and some of the others. */
function writesTried(): number[] {
  if (isAll) return Array.from({ length: mostWrites }, (_, index) => index + 1);
  const random = new Random(seed);
  return [1, 2, ...Array.from({ length: 3 }, () => 3 + random.below(30))];
}

describe(`a process with a fault at a write, seed ${seed}`, { timeout: minutes * 60_000 }, () => {
  it('FED-8: nothing is written at rest, though all that is watched is listed anew', () => {
    expect(reference.writesAtRest).toEqual([]);
  });

  it.each(['killed', 'answer lost', 'not sent'] as const)(
    'FED-3, FED-8, FED-9, FED-11, FED-16: %s: the same at rest, nothing of others deleted, nothing left behind',
    async (fault) => {
      const { failures, faults, plays } = await sweep(reference, playsAt(fault, writesTried()), seed);
      console.log(`${fault}: ${plays} times the scenario, ${faults} faults`);
      expect(failures).toEqual([]);
      expect(faults).toBeGreaterThan(2 * plays);
    },
  );

  it('FED-8, FED-9: killed again and again: each process gets a little further', async () => {
    const { failures, faults } = await sweep(reference, again(isAll ? [1, 2, 3, 4, 5, 7, 9, 13] : [2, 7]), seed);
    console.log(`killed again and again: ${faults} times`);
    expect(failures).toEqual([]);
  });
});

describe(`two processes with one leader, seed ${seed}`, { timeout: minutes * 60_000 }, () => {
  it.each(['killed', 'cut off', 'stopped'] as const)(
    'FED-8, FED-9: the leader is %s: the other goes on to the same, and never do both write',
    async (fault) => {
      const writes = isAll ? [1, 2, 3, 5, 8, 13, 21, 34, 55, 89] : [7];
      const { failures, leaders } = await replicasSweep(reference, fault, writes, seed);
      console.log(`the leader was ${fault} ${leaders} times`);
      expect(failures).toEqual([]);
      expect(leaders).toBeGreaterThan(5 * writes.length);
    },
  );
});

describe('negative control', { timeout: 600_000 }, () => {
  const bugs: Record<string, { mutant: Mutant; at: string; found: string }> = {
    "a Work's finalizer goes before the member's object": {
      mutant: {
        file: 'federation/src/apply/apply-controller.ts',
        from: 'await removeManifest({ ...this.#pipeline, cluster, member }, work, manifest);',
        to: 'setTimeout(() => void removeManifest({ ...this.#pipeline, cluster, member }, work, manifest).catch(() => {}), 200);',
      },
      at: 'killed:5,9,14',
      found: 'has no Work',
    },
    'the claim is written after the binding': {
      mutant: {
        file: 'federation/src/claim/claim-controller.ts',
        from: 'if (!(await writeClaim(pipeline, template, claim))) return;\n    const isWritten = await writeBinding(pipeline, template, policy);',
        to: 'const isWritten = await writeBinding(pipeline, template, policy);\n    if (!(await writeClaim(pipeline, template, claim))) return;',
      },
      at: 'killed:6,8,10,12',
      found: 'has a claim that its template does not have',
    },
    'a result that was not reported stays so': {
      mutant: {
        file: 'federation/src/schedule/triggers.ts',
        from: "return before || isReported(after) ? undefined : 'not reported';",
        to: 'return undefined;',
      },
      at: 'again:3,9',
      found: 'objects differ',
    },
    'objects of others are released or deleted with a Work': {
      mutant: {
        file: 'federation/src/apply/remove-manifest.ts',
        from: 'if (!isManaged(observed) || workNameOf(observed) !==',
        to: "if (observed.kind === 'None' && workNameOf(observed) !==",
      },
      at: 'killed:1',
      found: 'not of the federation',
    },
    'each look at a condition is a transition': {
      mutant: {
        file: 'federation/src/binding/conditions.ts',
        from: 'lastTransitionTime: isSame ? before.lastTransitionTime : now }',
        to: 'lastTransitionTime: isSame ? String(Math.random()) : now }',
      },
      at: 'killed:1',
      found: 'it does not come to rest',
    },
  };

  it.each(Object.entries(bugs))('%s: noticed', (_, { mutant, at, found }) => {
    const { nodeFlags, env } = asMutant(mutant);
    const main = new URL('src/federation-faults/main.ts', import.meta.url).pathname;
    const { status, stdout } = spawnSync(process.execPath, [...nodeFlags, main, at], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
    expect({ status, stdout }).toMatchObject({ status: 1, stdout: expect.stringContaining(found) });
  });
});
