import { badRequest, unavailable } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../testing/silent-log.ts';
import { incomingOf } from '../testing/targets.ts';
import { withErrorsAsStatus } from './boundary.ts';
import type { PlainReply } from './message.ts';

const failing = async (error: unknown, signal = new AbortController().signal) => {
  const { log, lines } = silentLog();
  const handler = withErrorsAsStatus(() => Promise.reject(error), log);
  const reply = (await handler(incomingOf('GET', '/x', { signal }))) as PlainReply;
  return { reply, body: JSON.parse(String(reply.body)), lines };
};

describe('ERR-1: whatever is thrown becomes a Status', () => {
  it('an error for clients as it is', async () => {
    const { reply, body, lines } = await failing(badRequest('limit: "x" is no number'));
    expect(reply).toMatchObject({ status: 400, headers: { 'content-type': 'application/json' } });
    expect(body).toMatchObject({ kind: 'Status', code: 400, reason: 'BadRequest', message: 'limit: "x" is no number' });
    expect(lines).toEqual([]);
  });

  it('NAME-8: Retry-After only where the error says so', async () => {
    expect((await failing(unavailable('away', { retryAfterSeconds: 1 }))).reply.headers['retry-after']).toBe('1');
    expect((await failing(unavailable('away'))).reply.headers).not.toHaveProperty('retry-after');
  });

  it('ERR-2: anything else as a 500 without its words, which are in the log', async () => {
    const { reply, body, lines } = await failing(new TypeError('token abc at 10.0.0.1'));
    expect(reply.status).toBe(500);
    expect(JSON.stringify(body)).not.toMatch(/abc|10\.0/);
    expect(lines).toMatchObject([{ level: 50, err: { message: 'token abc at 10.0.0.1' } }]);
  });

  it('a client that left is no error of ours', async () => {
    const { lines } = await failing(new Error('x'), AbortSignal.abort());
    expect(lines).toMatchObject([{ level: 20 }]);
  });
});
