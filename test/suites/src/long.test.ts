/** The command line of `npm run test:long`, with a vitest that only prints how it was called. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { agentSuites } from '../../agent-suites.ts';
import { cachedSuites } from '../../cached-suites.ts';
import { embeddedSuites } from '../../embedded-suites.ts';
import { longSuites } from '../../long-suites.ts';

const folder = mkdtempSync(join(tmpdir(), 'fleet-long-'));
afterAll(() => rmSync(folder, { recursive: true }));
const line =
  'ran $@ with CONFORMANCE=$CONFORMANCE CONTROL_PLANE=$FLEET_BED_CONTROL_PLANE CACHED=$FLEET_BED_CACHED AGENTS=$FLEET_BED_AGENTS';
writeFileSync(join(folder, 'vitest'), `#!/bin/sh\necho "${line}"\nexit $FAILS\n`, { mode: 0o700 });

function long(args: string[], environment: Record<string, string> = {}) {
  const env = {
    ...process.env,
    PATH: `${folder}:${process.env['PATH']}`,
    FAILS: '0',
    FLEET_BED_CONTROL_PLANE: '',
    FLEET_BED_CACHED: '',
    FLEET_BED_AGENTS: '',
    ...environment,
  };
  const command = join(import.meta.dirname, '../../long.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { env, encoding: 'utf8' });
  return { status, stderr, stdout, ran: stdout.split('\n').filter((line) => line.startsWith('ran ')) };
}

describe('npm run test:long', () => {
  it('runs all steps; LONG_SEEDS sets how many differentials', () => {
    const [one, two] = ['7', '7,8'].map((LONG_SEEDS) => long([], { LONG_SEEDS }));
    expect([one?.status, two?.status]).toEqual([0, 0]);
    // One of the usual kinds, one of workloads, one of the cache.
    expect(two?.ran.length).toBe(one!.ran.length + 3);
    expect(one?.ran.length).toBeGreaterThan(5);
  });

  it('runs the steps with a word in their title, each once', () => {
    const { status, ran } = long(['Conformance', 'written']);
    expect(ran).toEqual([
      'ran run --project bed test/conformance/conformance.bed.ts test/conformance/embedded.bed.ts with CONFORMANCE=long CONTROL_PLANE= CACHED= AGENTS=',
      'ran run --project bed test/conformance/simulated.bed.ts with CONFORMANCE=long CONTROL_PLANE= CACHED= AGENTS=',
      'ran run --project bed test/conformance/karmada-search.bed.ts with CONFORMANCE=long CONTROL_PLANE= CACHED= AGENTS=',
      'ran run --project bed test/conformance/karmada-federation.bed.ts with CONFORMANCE=long CONTROL_PLANE= CACHED= AGENTS=',
    ]);
    expect(status).toBe(0);
  });

  it('CP-4: runs all suites that have a fleet on the embedded control plane', () => {
    const { ran } = long(['embedded']);
    expect(ran).toEqual([
      `ran run --project bed ${embeddedSuites.join(' ')} with CONFORMANCE= CONTROL_PLANE=embedded CACHED= AGENTS=`,
    ]);
  });

  it('CACHE-17: runs the suites of merged views with every kind registered', () => {
    const { ran } = long(['from the cache']);
    expect(ran).toEqual([
      `ran run --project bed ${cachedSuites.join(' ')} with CONFORMANCE= CONTROL_PLANE= CACHED=1 AGENTS=`,
    ]);
  });

  it('AGENT-5: runs what matters with every member behind an agent', () => {
    const { ran } = long(['through agents']);
    expect(ran).toEqual([
      `ran run --project bed ${agentSuites.join(' ')} with CONFORMANCE= CONTROL_PLANE= CACHED= AGENTS=1`,
    ]);
  });

  it('exits with 1 if a step fails', () => {
    expect(long(['silence'], { FAILS: '3' })).toMatchObject({ status: 1 });
  });

  it.each(['conformance nonsense', '--conformance'])('runs nothing for %s, exit code 2', (args) => {
    const { status, ran, stderr } = long(args.split(' '));
    expect({ status, ran }).toEqual({ status: 2, ran: [] });
    expect(stderr).toContain('npm run test:long -- WORD');
  });

  it.each(['--help', '-h'])('%s runs nothing and prints steps and variables', (flag) => {
    const { status, ran, stdout } = long([flag], { LONG_COUNT: '10' });
    expect({ status, ran }).toEqual({ status: 0, ran: [] });
    for (const expected of ['seed 4, 10 requests', 'conformance', 'LONG_SEEDS', 'LONG_COUNT', 'LONG_BAD_INPUT']) {
      expect(stdout).toContain(expected);
    }
  });
});

it('runs every suite that a change does not wait for', () => {
  const { ran } = long([]);
  expect(longSuites.length).toBeGreaterThan(0);
  for (const suite of longSuites) {
    expect(existsSync(join(import.meta.dirname, '../../..', suite))).toBe(true);
    expect(ran.join('\n')).toContain(suite);
  }
});
