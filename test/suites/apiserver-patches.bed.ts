/** Patches of every type and apply, against a real kube-apiserver: the same object, managers and errors (COMPAT-4). */

import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Member, startMember } from '@fleet/bed/member.ts';
import { asMutant, type Mutant } from '@fleet/bed/mutant.ts';
import { until } from '@fleet/bed/until.ts';
import { Random } from '@fleet/differential/random.ts';
import { type JsonValue, jsonText } from '@fleet/kube/json-value.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ourAnswer } from './apiserver-patches/answers.ts';
import { differenceOf } from './apiserver-patches/compare.ts';
import { kinds, widgetDefinition } from './apiserver-patches/kinds.ts';
import { Server, tried } from './apiserver-patches/server.ts';
import type { Trial } from './apiserver-patches/trial.ts';

const seed = process.env['PATCHES_SEED'] ?? '1';
const count = Number(process.env['PATCHES_COUNT'] ?? 1_000);
/** On one object, after which another one is begun. */
const perObject = 25;

let member: Member;
let server: Server;
const trials: Trial[] = [];
const differences: string[] = [];
/** Our answers, as texts. */
let sound: string[];

/** As texts, one a trial, of a process of its own. */
async function answersTo(asked: readonly Trial[], mutant?: Mutant): Promise<string[]> {
  const { nodeFlags, env } = mutant ? asMutant(mutant) : { nodeFlags: [], env: {} };
  const program = fileURLToPath(new URL('apiserver-patches/answers.ts', import.meta.url));
  const child = spawn(process.execPath, [...nodeFlags, program], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  child.stdin.end(asked.map((trial) => jsonText(trial as unknown as JsonValue)).join('\n'));
  const [code, output] = await Promise.all([ended, text(child.stdout)]);
  expect(code).toBe(0);
  return output.split('\n');
}

beforeAll(
  async () => {
    member = await startMember({ name: 'patches', nodes: 0 });
    server = new Server(member);
    expect((await server.define(widgetDefinition)).code).toBe(201);
    await until('widgets are served', async () => (await server.list(kinds.at(-1)!)).code === 200);
    console.log(`PATCHES_SEED=${seed} PATCHES_COUNT=${count}`);
    for (let from = 0; from < count; from += perObject) {
      const kind = kinds[(from / perObject) % kinds.length]!;
      const random = new Random(`${seed}/${from}`);
      const some = tried(server, kind, `object-${from}`, random, from, Math.min(perObject, count - from));
      for await (const trial of some) {
        trials.push(trial);
        const difference = await differenceOf(server, kind, trial, ourAnswer(trial));
        if (difference) differences.push(`${trial.number} ${trial.kind} ${trial.action}: ${difference}`);
      }
    }
    sound = await answersTo(trials);
  },
  120_000 + count * 100,
);
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await member?.[Symbol.asyncDispose]();
});

describe('COMPAT-4: patches and apply', () => {
  test('make of an object what kube-apiserver makes of it', () => {
    const refused = trials.filter(({ code }) => code >= 400);
    console.log(`${trials.length} trials, ${refused.length} refused`);
    for (const action of ['create', 'update', 'apply', 'json', 'merge', 'strategic']) {
      expect(trials.filter((trial) => trial.action === action && trial.code < 300).length, action).toBeGreaterThan(0);
    }
    expect(refused.length).toBeGreaterThan(0);
    expect(differences).toEqual([]);
  });

  const mutants: [string, Mutant][] = [
    [
      'nulls that stay in a merge patch',
      { file: 'apiserver/src/patch/without-nulls.ts', from: 'if (one !== null) setField(kept', to: 'setField(kept' },
    ],
    [
      'an insertion behind its position',
      {
        file: 'apiserver/src/patch/json-pointer.ts',
        from: 'position(key, list.length + 1, true), 0',
        to: 'position(key, list.length + 1, true) + 1, 0',
      },
    ],
    [
      'new elements that come last',
      {
        file: 'apiserver/src/patch/strategic-order.ts',
        from: 'left !== undefined && right !== undefined && left < right',
        to: 'left !== undefined',
      },
    ],
    [
      '$patch: delete that is not obeyed',
      { file: 'apiserver/src/patch/strategic-list.ts', from: '!deleted.has(fieldOf(one, mergeKey))', to: 'true' },
    ],
    [
      'elements that are distinguished by one key',
      {
        file: 'apiserver/src/schema/merge-type.ts',
        from: "schema['x-kubernetes-list-map-keys']) || []",
        to: "schema['x-kubernetes-list-map-keys']?.slice(0, 1)) || []",
      },
    ],
    [
      'structs that are not there before a create',
      {
        file: 'apiserver/src/go-json/zero-value.ts',
        from: "if (holds !== 'one') return null;",
        to: "if (holds !== 'one') return undefined;",
      },
    ],
    [
      'fields of the server that are managed',
      {
        file: 'apiserver/src/patch/managers/field-manager.ts',
        from: 'managed.fields.difference(stripped)',
        to: 'managed.fields',
      },
    ],
    [
      'conflicts that are not seen',
      {
        file: 'apiserver/src/patch/managers/merging.ts',
        from: 'comparison.modified.union(comparison.added)',
        to: 'comparison.added',
      },
    ],
    [
      'what was applied before and stays',
      {
        file: 'apiserver/src/patch/managers/merging.ts',
        from: 'all.difference(kept).intersection(applied)',
        to: 'all.difference(all)',
      },
    ],
    ['an int64 that is a double', { file: 'kube/src/json-value.ts', from: '? exact : value', to: '? value : value' }],
  ];
  test.each(mutants)('negative control: %s', async (_name, mutant) => {
    const sick = await answersTo(trials, mutant);
    const noticed = trials.filter((_, index) => sound[index] !== sick[index]);
    expect(noticed.length).toBeGreaterThan(0);
  });
});
