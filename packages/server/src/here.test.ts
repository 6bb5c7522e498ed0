import { describe, expect, it } from 'vitest';
import type { Granted } from './authz/authorize.ts';
import { Discovery } from './discovery/discovery.ts';
import { createHere } from './here.ts';
import { createMetrics } from './observe/metrics.ts';
import { silentLog } from './testing/silent-log.ts';
import { incomingOf, targetOf } from './testing/targets.ts';

const answer = (method: string, path: string, ready = true) => {
  const here = createHere({
    discovery: new Discovery(() => [], silentLog().log),
    metrics: createMetrics(),
    version: { gitVersion: 'v1.36.3+fleet.1' },
    ready: () => ready,
  });
  return here({ target: targetOf(method, path) } as Granted, incomingOf(method, path));
};

describe('URL-10: the product’s own paths', () => {
  it.each([
    ['/livez', true, 200, 'ok'],
    ['/livez', false, 200, 'ok'],
    ['/readyz', true, 200, 'ok'],
    ['/readyz', false, 503, 'not ready'],
    ['/healthz', false, 503, 'not ready'],
    ['/version', true, 200, '"gitVersion":"v1.36.3+fleet.1"'],
    ['/metrics', true, 200, 'fleet_requests_total'],
    ['/', true, 200, '"/apis"'],
    ['/apis', true, 200, '"APIGroupList"'],
  ])('%s (ready: %s) is %i', async (path, ready, status, text) => {
    const reply = await answer('GET', path, ready);
    expect(reply.status).toBe(status);
    expect(String(reply.body)).toContain(text);
  });

  it('ERR-1: unknown paths are 404, writes 405', async () => {
    await expect(answer('GET', '/nothing')).rejects.toMatchObject({ code: 404 });
    await expect(answer('POST', '/version')).rejects.toMatchObject({ code: 405 });
  });
});
