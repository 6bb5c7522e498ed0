import { UnreachableError } from '@fleet/client/upstream.ts';
import { describe, expect, it } from 'vitest';
import { BusyError } from '../members/limited.ts';
import { targetOf } from '../testing/targets.ts';
import { notReady, unanswered } from './unanswered.ts';

const lost = (sent: boolean) => new UnreachableError(sent, { cause: new Error('10.0.0.7:6443 reset') });
const error = (method: string, { sent = false, ready = true, late = false }) =>
  unanswered(
    { cluster: 'm1', ready },
    targetOf(method, '/clusterspaces/m1/api/v1/namespaces/d/pods/x'),
    late ? new Error('late') : lost(sent),
    late,
  );

describe('NAME-8: a place that gave no answer', () => {
  it.each([
    ['a read that was not sent', 'GET', { sent: false }, 503, 1],
    ['a read that may have arrived', 'GET', { sent: true }, 503, 1],
    ['a write that was not sent', 'PATCH', { sent: false }, 503, 1],
    ['a write that may have arrived', 'POST', { sent: true }, 504, undefined],
    ['a delete that may have arrived', 'DELETE', { sent: true }, 504, undefined],
    ['a read of a member that is not ready', 'GET', { sent: false, ready: false }, 503, undefined],
    ['a read past its deadline', 'GET', { late: true }, 504, undefined],
    ['a write past its deadline', 'PUT', { late: true }, 504, undefined],
  ])('%s', (_, method, how, code, retryAfterSeconds) => {
    const { details, ...rest } = error(method, how);
    expect(rest).toMatchObject({ code });
    expect(details?.retryAfterSeconds).toBe(retryAfterSeconds);
  });

  it('LIMIT-2: one that has too much to answer is 429, however long that took', () => {
    const target = targetOf('PUT', '/clusterspaces/m1/api/v1/namespaces/d/pods/x');
    for (const late of [false, true]) {
      const busy = unanswered({ cluster: 'm1', ready: true }, target, new BusyError('m1'), late);
      expect(busy).toMatchObject({ code: 429, details: { retryAfterSeconds: 1 } });
    }
  });

  it('ERR-2: names the cluster, not its address', () => {
    const { message } = error('POST', { sent: true });
    expect(message).toContain('"m1"');
    expect(message).not.toContain('10.0.0.7');
  });

  it('what is no lost connection is passed on as it is', () => {
    const bug = new TypeError('bug');
    expect(() =>
      unanswered({ cluster: 'm1', ready: true }, targetOf('GET', '/clusterspaces/m1/api'), bug, false),
    ).toThrow(bug);
  });

  it('a member known to be unreachable is 503 without Retry-After', () => {
    expect(notReady('m1', 'cannot be reached')).toMatchObject({
      code: 503,
      message: 'cluster "m1" is not ready: it cannot be reached',
      details: undefined,
    });
  });
});

it('NAME-8, AGENT-6: a cluster without an agent is 503, and the message names the reason', () => {
  const cause = Object.assign(new Error('no agent of cluster m1 is connected'), { code: 'ERR_NO_AGENT' });
  const target = targetOf('POST', '/clusterspaces/m1/api/v1/namespaces/d/pods');
  const answer = unanswered({ cluster: 'm1', ready: true }, target, new UnreachableError(false, { cause }), false);
  expect(answer).toMatchObject({ code: 503, message: 'cluster "m1" cannot be reached: no agent of it is connected' });
});
