/** Hostile agents that take longer, and negative controls: each check fails where its bug is planted (0007). Needs no clusters. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longChecks, shortChecks } from './src/hostile/all-checks.ts';
import { mutants } from './src/hostile/mutants.ts';
import { type Scene, startScene } from './src/hostile/scene.ts';

const timeout = 180_000;

describe('AGENT-3, AGENT-7: a hostile agent, at length', { timeout }, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene?.[Symbol.asyncDispose]());

  it.each(Object.entries(longChecks))('%s', async (_, check) => {
    expect(await check(scene)).toBeUndefined();
    expect(await scene.status('rohan')).toBe(200);
  });
});

describe('planted bugs are seen', { timeout }, () => {
  const planted = Object.entries(mutants).flatMap(([name, all]) => all.map((mutant) => ({ name, mutant })));
  it.each(planted)('$name: $mutant.from', async ({ name, mutant }) => {
    await using scene = await startScene(mutant);
    expect(await { ...shortChecks, ...longChecks }[name]!(scene)).toBeTypeOf('string');
  });
});
