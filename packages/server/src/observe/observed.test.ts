import { describe, expect, it } from 'vitest';
import { jsonReply } from '../http/message.ts';
import { silentLog } from '../testing/silent-log.ts';
import { incomingOf, targetOf } from '../testing/targets.ts';
import { createMetrics } from './metrics.ts';
import { createObserver } from './observed.ts';

async function counted(method: string, url: string, parsed = true): Promise<Record<string, unknown>[]> {
  const metrics = createMetrics();
  const observer = createObserver(metrics, silentLog().log);
  const handler = observer.wrap(async (incoming) => {
    if (parsed) observer.onTarget(incoming, targetOf(method, url));
    return jsonReply(200, {});
  });
  await handler(incomingOf(method, url));
  return (await metrics.requests.get()).values.map(({ labels }) => labels);
}

describe('what is counted', () => {
  it('verb, place and code of each request', async () => {
    expect(await counted('GET', '/api/v1/pods')).toEqual([{ verb: 'list', place: 'many', code: 200 }]);
    expect(await counted('GET', '/clusterspaces/m1/api/v1/pods?watch=1')).toEqual([
      { verb: 'watch', place: 'one', code: 200 },
    ]);
    expect(await counted('GET', '/healthz')).toEqual([{ verb: 'get', place: 'here', code: 200 }]);
  });

  it('LIMIT-2: no client can make labels of its own', async () => {
    expect(await counted('ANYTHING-1', '/../x', false)).toEqual([{ verb: 'other', place: 'none', code: 200 }]);
  });
});
