import { UnreachableError } from '@fleet/client/upstream.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { answerHealth, controlPlaneCheck } from './own-health.ts';
import { type Answer, FakeUpstream, replyOf, silence } from './testing/fake-upstream.ts';

const well = { name: 'well', isWell: () => true };
const ill = { name: 'ill', isWell: async () => false };

const health = async (...asked: Parameters<typeof answerHealth>) => {
  const { status, body } = await answerHealth(...asked);
  return [status, String(body)];
};

describe('SEC-6: the server’s own health', () => {
  it('is ok, with each check if that is asked for', async () => {
    expect(await health('/livez', '', [])).toEqual([200, 'ok']);
    expect(await health('/readyz', 'verbose', [well])).toEqual([200, '[+]ping ok\n[+]well ok\nreadyz check passed\n']);
  });

  it('names the check that fails, and not why', async () => {
    const text = '[+]ping ok\n[+]well ok\n[-]ill failed: reason withheld\nreadyz check failed\n';
    expect(await health('/readyz', '', [well, ill])).toEqual([503, text]);
    expect(await health('/readyz', 'exclude=ill', [well, ill])).toEqual([200, 'ok']);
    expect(await health('/readyz', 'exclude=ill&verbose', [ill])).toEqual([
      200,
      '[+]ping ok\n[+]ill excluded: ok\nreadyz check passed\n',
    ]);
  });
});

describe('SEC-6: the check of the control plane', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each<[string, Answer, boolean]>([
    ['answers', () => replyOf(200, 'ok'), true],
    ['does not let us ask', () => replyOf(403, {}), true],
    ['has no such path', () => replyOf(404, {}), true],
    ['is not ready', () => replyOf(500, 'etcd failed'), false],
    ['cannot be reached', () => Promise.reject(new UnreachableError(false, {})), false],
  ])('one that %s', async (_, answer, isWell) => {
    expect(await controlPlaneCheck(new FakeUpstream(answer)).isWell()).toBe(isWell);
  });

  it('one that is silent fails after 2 s', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort(new Error('late')));
    expect(await controlPlaneCheck(new FakeUpstream(silence)).isWell()).toBe(false);
    vi.restoreAllMocks();
  });

  it('is made once for many who ask', async () => {
    const upstream = new FakeUpstream(() => replyOf(200, 'ok'));
    const check = controlPlaneCheck(upstream);
    await Promise.all([check.isWell(), check.isWell()]);
    await check.isWell();
    expect(upstream.calls).toHaveLength(1);
  });
});
