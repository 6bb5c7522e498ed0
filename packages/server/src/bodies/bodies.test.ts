import { longestStall } from '@fleet/client/testing/longest-stall.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { combineVersions } from '../present/versions.ts';
import { completeTarget } from '../target/complete.ts';
import { parseTarget } from '../target/parse.ts';
import type { TargetBody } from '../target/target.ts';
import { OffLoopBodies } from './bodies.ts';
import { bodyWork } from './body-work.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const name = 'x.clusterspace.m1';
const json = 'application/json';
const { signal } = new AbortController();

let bodies = new OffLoopBodies();
afterEach(async () => {
  await bodies[Symbol.asyncDispose]();
  bodies = new OffLoopBodies();
});

/** As the gateway and the way to a member do it. */
async function sent(text: string, contentType: string, cluster = 'm1', method = 'PUT') {
  const parsed = parseTarget(method, `${configMaps}/${name}`);
  const reading = await bodies.read(parsed, { bytes: Buffer.from(text), contentType }, signal);
  const { body } = completeTarget(parsed, reading, () => true);
  return bodies.strip(body as TargetBody, cluster, signal);
}

const names = `{"metadata":{"name":"${name}"},"list":[${Array.from({ length: 60_000 }, () => `"${name}"`).join(',')}]}`;
const lines = `metadata: {name: ${name}}\nlist:\n${'- a\n'.repeat(20_000)}`;

describe('LIMIT-3: large bodies are worked on beside the event loop', { timeout: 60_000 }, () => {
  it('with the same result as small ones', async () => {
    const padding = 'p'.repeat(100_000);
    const stripped = await sent(`{"metadata":{"name":"${name}"},"spec":"${padding}"}`, json);
    expect(stripped).toEqual({
      bytes: Buffer.from(`{"metadata":{"name":"x"},"spec":"${padding}"}`),
      contentType: json,
    });
    expect(Buffer.isBuffer((stripped as TargetBody).bytes)).toBe(true);
    const yaml = await sent(`metadata:\n  name: ${name}\nspec: ${padding}\n`, 'application/yaml');
    expect(yaml).toEqual({ bytes: Buffer.from(`{"metadata":{"name":"x"},"spec":"${padding}"}`), contentType: json });
  });

  it('with the same refusals', async () => {
    const padding = '# padding\n'.repeat(2_000);
    const refused = {
      code: 400,
      reason: 'BadRequest',
      message: expect.stringContaining('error converting YAML to JSON'),
    };
    await expect(sent(`${padding}a: [clusterspace`, 'application/yaml')).rejects.toMatchObject(refused);
    const version = combineVersions(new Map([['m2', '5']]));
    const text = `{"metadata":{"resourceVersion":"${version}","clusterspace":"${'p'.repeat(100_000)}"}}`;
    expect(await sent(text, json)).toBe('unknown-version');
  });

  it.each([
    ['names in JSON', names, json],
    ['YAML', lines, 'application/yaml'],
  ])('which goes on meanwhile: %s', async (_, text, contentType) => {
    await sent(text, contentType);
    const off = await longestStall(() => sent(text, contentType));
    const on = await longestStall(() => {
      const parsed = parseTarget('PUT', `${configMaps}/${name}`);
      const { read } = bodyWork.read(parsed, { bytes: Buffer.from(text), contentType });
      bodyWork.strip({ bytes: Buffer.from(text), contentType, ...(read ? { read } : {}) }, 'm1');
    });
    // Negative control: done here, it would hold the loop several times as long.
    expect(on).toBeGreaterThan(50);
    expect(off).toBeLessThan(Math.max(50, on / 3));
  });
});
