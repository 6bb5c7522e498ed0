/** Hostile agents, written in Go, and bytes changed on the way, against the whole product: nothing is reached, all is audited. Needs no clusters. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortChecks } from './src/hostile/all-checks.ts';
import { type Scene, startScene } from './src/hostile/scene.ts';

describe('AGENT-3, AGENT-4, AGENT-7, AGENT-9: a hostile agent', { timeout: 60_000 }, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene?.[Symbol.asyncDispose]());

  it.each(Object.entries(shortChecks))('%s', async (_, check) => {
    expect(await check(scene)).toBeUndefined();
    expect(await scene.status('rohan')).toBe(200);
  });
});
