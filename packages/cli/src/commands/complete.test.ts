/** Completion as a shell asks for it, and bash itself. */

import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { scripts } from '../completion/scripts.ts';
import { startFakeFleet } from '../testing/fake-fleet.ts';

const clusters = { items: ['tokyo', 'virginia'].map((name) => ({ metadata: { name } })) };
const startFleet = () => startFakeFleet((_, response) => response.end(JSON.stringify(clusters)));
const asked = async (run: (...words: string[]) => Promise<{ stdout: string }>, ...words: string[]) =>
  (await run('__complete', '--', ...words)).stdout.split('\n').map((line) => line.split('\t')[0]);

describe('fleet __complete', () => {
  test('names of members come from the fleet that the line names', async () => {
    const { run, kubeconfig } = await startFleet();
    const words = ['unjoin', '--fleet-kubeconfig', kubeconfig];
    expect(await asked(run, ...words, '')).toEqual(['tokyo', 'virginia', '']);
    expect(await asked(run, 'use', `--fleet-kubeconfig=${kubeconfig}`, 'k')).toEqual(['karmada', '']);
    expect(await asked(run, 'kubeconfig', '--fleet-kubeconfig', '=', kubeconfig, '--cluster=t')).toEqual([
      '--cluster=tokyo',
      '',
    ]);
  });

  test('without a fleet there are none, and no error', async () => {
    const { run } = await startFleet();
    expect(await run('__complete', '--', 'unjoin', '--fleet-kubeconfig', '/nowhere', '')).toEqual({
      stdout: '',
      stderr: '',
    });
  });

  test('the shell completes files, and commands have descriptions', async () => {
    const { run } = await startFleet();
    expect((await run('__complete', '--', 'join', 'x', '--kubeconfig', '')).stdout).toBe(':files\n');
    expect((await run('__complete', '--', 'unj')).stdout).toMatch(/^unjoin\tRemove a member from the fleet/);
  });
});

describe('fleet completion', () => {
  test.each(['bash', 'zsh', 'fish'] as const)('%s: a script that asks the command', async (shell) => {
    const { run } = await startFleet();
    const { stdout } = await run('completion', shell);
    expect(stdout).toContain(' __complete -- ');
    expect(stdout).toBe(scripts[shell]);
  });

  const folder = mkdtempSync(join(tmpdir(), 'fleet-completion-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ['fleet unj', ['unjoin']],
    ['fleet describe reg', ['registry']],
    ['fleet get pods --out', ['--output']],
    ['fleet get pods -o y', ['yaml']],
  ])('bash: %s', async (line, expected) => {
    mkdirSync(join(folder, 'bin'), { recursive: true });
    const fleet = join(folder, 'bin/fleet');
    writeFileSync(fleet, `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, '../fleet.mjs')}' "$@"\n`);
    chmodSync(fleet, 0o700);
    const words = line.split(' ');
    const script = `${scripts.bash}
COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}
_fleet
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}` };
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], { env });
    expect(stdout.trim().split('\n')).toEqual(expected);
  });
});
