/** Protobuf bodies of all built-in kinds, against Kubernetes' own Go code (LIST-9). */

import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { anySeed } from '@fleet/bed/any-seed.ts';
import { binaryPath, kubeTypes } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import { asMutant, type Mutant } from '@fleet/bed/mutant.ts';
import { schemaModule } from '@fleet/kube/protobuf/schema.build.ts';
import { knownKinds } from '@fleet/kube/protobuf/schema.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, differenceOf, type Sample } from './src/protobuf-sample.ts';

const seed = Number(process.env['PROTOBUF_SEED'] ?? anySeed());
const perKind = Number(process.env['PROTOBUF_COUNT'] ?? 8);

async function run(file: string, args: readonly string[], env = {}, input = ''): Promise<string> {
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  child.stdin.end(input);
  const [code, output] = await Promise.all([ended, text(child.stdout)]);
  expect(code, `${file} ${args.join(' ')}`).toBe(0);
  return output;
}

const kubeTypesPrints = (...args: string[]) => run(binaryPath(kubeTypes), args);

const linesOf = <Line>(output: string): Line[] =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

async function differences(samples: readonly Sample[], mutant?: Mutant): Promise<string[]> {
  const { nodeFlags, env } = mutant ? asMutant(mutant) : { nodeFlags: [], env: {} };
  const program = fileURLToPath(new URL('protobuf-answers.ts', import.meta.url));
  const bodies = samples.map(({ protobuf }) => protobuf).join('\n');
  const answers = linesOf<Answer>(await run(process.execPath, [...nodeFlags, program], env, bodies));
  expect(answers.length).toBe(samples.length);
  return samples.flatMap((sample, index) => {
    const difference = differenceOf(sample, answers[index]!);
    return difference ? [`${sample.kind}: ${difference}\n${sample.protobuf}`] : [];
  });
}

let samples: Sample[];

beforeAll(async () => {
  await build([kubeTypes]);
  console.log(`PROTOBUF_SEED=${seed} PROTOBUF_COUNT=${perKind}`);
  samples = linesOf<Sample>(await kubeTypesPrints('samples', String(seed), String(perKind)));
});

test('the schema that is checked in is that of the newest Kubernetes', async () => {
  const generated = new URL('../../packages/kube/src/generated/protobuf-schema.ts', import.meta.url);
  expect(await readFile(generated, 'utf8')).toBe(schemaModule(await kubeTypesPrints('schema')));
});

describe('LIST-9: protobuf bodies', () => {
  test('of every kind, sound and damaged, are what Go makes of them', async () => {
    expect(new Set(samples.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(knownKinds().length);
    // Damage that is noticed, and damage that is not, are both among them.
    expect(samples.filter(({ error }) => error).length).toBeGreaterThan(1_000);
    expect(samples.filter(({ damaged, json }) => damaged && json).length).toBeGreaterThan(100);
    expect(await differences(samples)).toEqual([]);
  });

  const mutants: [string, Mutant][] = [
    [
      'a wrong number',
      {
        file: 'kube/src/generated/protobuf-schema.ts',
        from: ' 3s?:namespace 4s?:selfLink',
        to: ' 4s?:namespace 3s?:selfLink',
      },
    ],
    [
      'an int64 that is a double',
      {
        file: 'kube/src/protobuf/wire.ts',
        from: 'return BigInt.asIntN(64, this.#unsigned());',
        to: 'return BigInt(Number(BigInt.asIntN(64, this.#unsigned())));',
      },
    ],
    [
      'a zero time that is shown',
      {
        file: 'kube/src/protobuf/forms.ts',
        from: "return bare || seconds === zeroTime ? 'null'",
        to: "return seconds === zeroTime ? 'null'",
      },
    ],
    [
      'a pointer to zero that is left out',
      {
        file: 'kube/src/protobuf/write-json.ts',
        from: "if (holds !== 'one') return false;",
        to: "if (holds !== 'one') return typeof type === 'string' && type !== 'y' && !value;",
      },
    ],
    [
      'messages that do not merge',
      { file: 'kube/src/protobuf/decode.ts', from: 'before === undefined || replaced ?', to: 'true ?' },
    ],
    [
      'wire types that are not looked at',
      { file: 'kube/src/protobuf/decode.ts', from: 'wireType !== expected && !packed', to: 'false' },
    ],
  ];
  test.each(mutants)('negative control: %s is seen', async (_name, mutant) => {
    expect((await differences(samples, mutant)).length).toBeGreaterThan(0);
  });
});
