import type { UpstreamCall } from '@fleet/client/upstream.ts';
import { UnreachableError } from '@fleet/client/upstream.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BusyError } from '../members/limited.ts';
import { type Answer, FakeUpstream, openBody, replyOf, silence, statusReply } from '../testing/fake-upstream.ts';
import { readListQuery } from './list-query.ts';
import { LiveSource } from './live-source.ts';
import { readSelection } from './selection.ts';
import type { ListAnswer, SourceList } from './source.ts';

const page = (items: number[], more?: string, resourceVersion = '7') => ({
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: { resourceVersion, ...(more ? { continue: more } : {}) },
  items: items.map((n) => ({ n })),
});

/** A custom resource's list ends with its metadata. */
const latePage = (items: number[], more = '') =>
  `{"apiVersion":"a/v1","items":${JSON.stringify(items.map((n) => ({ n })))},"kind":"L","metadata":{"continue":"${more}","resourceVersion":"7"}}`;

const tokenOf = ({ path }: UpstreamCall) => new URLSearchParams(path.split('?')[1]).get('continue') ?? '';

const source = (answer: Answer, headDeadline = 60_000) => {
  const upstream = new FakeUpstream(answer);
  const live = new LiveSource({
    cluster: 'm1',
    upstream,
    streams: upstream,
    path: '/api/v1/pods',
    headers: { 'impersonate-user': 'a' },
    headDeadline,
  });
  const list = (signal = new AbortController().signal, limit?: number): Promise<ListAnswer> =>
    live.list({ query: readListQuery('labelSelector=x').begin('m1', limit), form: 'object', signal });
  const watch = () =>
    live.watch({
      from: '7',
      selection: readSelection('', new Set()),
      form: 'object',
      signal: new AbortController().signal,
    });
  return { upstream, list, watch };
};

async function itemsOf(answer: ListAnswer): Promise<number[]> {
  expect(answer.is).toBe('list');
  const found: number[] = [];
  for await (const items of (answer as SourceList).items) {
    found.push(...items.map((item) => (JSON.parse(item.toString()) as { n: number }).n));
  }
  return found;
}

afterEach(() => {
  vi.useRealTimers();
});

describe('LIST-1: a member is read in pages', () => {
  it.each([
    ['built-in', page],
    ['custom', latePage],
  ] as const)('%s lists: one chain of pages, each asked for once', async (_, make) => {
    const pages: Record<string, unknown> = { '': make([1, 2], 'p2'), p2: make([3], 'p3'), p3: make([4]) };
    const { upstream, list } = source((call) => replyOf(200, pages[tokenOf(call)]));
    expect(await itemsOf(await list())).toEqual([1, 2, 3, 4]);
    expect(upstream.paths).toEqual([
      'GET /api/v1/pods?labelSelector=x&limit=500',
      'GET /api/v1/pods?labelSelector=x&limit=500&continue=p2',
      'GET /api/v1/pods?labelSelector=x&limit=500&continue=p3',
    ]);
  });

  it('PAGE-1: no more is requested than is needed', async () => {
    const count = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
    const pages: Record<string, unknown> = { '': page(count(0, 500), 'p2'), p2: page(count(500, 700), 'p3') };
    const { upstream, list } = source((call) => replyOf(200, pages[tokenOf(call)]));
    const answer = await list(undefined, 700);
    expect(await itemsOf(answer)).toHaveLength(700);
    expect((answer as SourceList).end().metadata?.continue).toBe('p3');
    expect(upstream.paths).toEqual([
      'GET /api/v1/pods?labelSelector=x&limit=500',
      'GET /api/v1/pods?labelSelector=x&limit=200&continue=p2',
    ]);
  });

  it('asks as the user, for JSON and uncompressed', async () => {
    const { upstream, list } = source(() => replyOf(200, page([])));
    await itemsOf(await list());
    expect(upstream.calls[0]?.headers).toEqual({
      'impersonate-user': 'a',
      accept: 'application/json',
      'accept-encoding': 'identity',
    });
  });

  it('the next page is asked for while the last is being read, and not before somebody goes on reading it', async () => {
    const first = openBody();
    const { upstream, list } = source((call) =>
      tokenOf(call) ? replyOf(200, page([2])) : { status: 200, headers: {}, body: first.body },
    );
    first.write(JSON.stringify(page([1], 'p2')).slice(0, -2));
    const answer = (await list()) as SourceList;
    const items = answer.items[Symbol.asyncIterator]();
    await items.next();
    expect(upstream.calls).toHaveLength(1);
    const second = items.next();
    await vi.waitFor(() => expect(upstream.calls).toHaveLength(2));
    first.write(']}');
    first.body.end();
    expect((await second).value).toHaveLength(1);
  });

  it('a later page that fails breaks the list: it is never shorter', async () => {
    for (const bad of [
      statusReply(410, 'Expired', 'too old'),
      statusReply(500, 'InternalError', 'x'),
      replyOf(200, '{"items":[{"n":2}'),
    ]) {
      const { list } = source((call) => (tokenOf(call) ? bad : replyOf(200, page([1], 'p2'))));
      await expect(itemsOf(await list())).rejects.toThrow();
    }
  });

  it('a later page whose member is busy is asked for again', async () => {
    let busy = 1;
    const { list } = source((call) => {
      if (!tokenOf(call)) return replyOf(200, page([1], 'p2'));
      return busy-- > 0 ? statusReply(429, 'TooManyRequests', 'busy', { 'retry-after': '0' }) : replyOf(200, page([2]));
    });
    expect(await itemsOf(await list())).toEqual([1, 2]);
  });

  it('a member that falls silent between pages does not hold the list for ever', async () => {
    const late = vi.spyOn(AbortSignal, 'timeout');
    const timers: { ms: number; controller: AbortController }[] = [];
    late.mockImplementation((ms) => {
      const controller = new AbortController();
      timers.push({ ms, controller });
      return controller.signal;
    });
    try {
      const { upstream, list } = source((call) => (tokenOf(call) ? silence(call) : replyOf(200, page([1], 'p2'))));
      const reading = itemsOf(await list());
      reading.catch(() => {});
      await vi.waitFor(() => expect(upstream.calls).toHaveLength(2));
      for (const { controller } of timers) controller.abort(new DOMException('late', 'TimeoutError'));
      await expect(reading).rejects.toThrow();
    } finally {
      late.mockRestore();
    }
  });
});

describe('LIST-10: what an answer means', () => {
  it('RV-6: a version that it has not come to yet is no absence', async () => {
    const details = { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] };
    const tooNew = new StatusError(504, 'Timeout', 'Too large resource version: 9, current: 7', details);
    expect(await source(() => replyOf(504, tooNew.toStatus())).list()).toMatchObject({ is: 'too-new' });
    expect(await source(() => statusReply(504, 'Timeout', 'x')).list()).toMatchObject({ is: 'missing' });
  });

  it.each([
    [404, { is: 'absent' }],
    [403, { is: 'refused', error: { code: 403, message: 'words' } }],
    [410, { is: 'expired', error: { code: 410 } }],
    [400, { is: 'invalid', error: { code: 400, message: 'words' } }],
    [422, { is: 'invalid', error: { code: 422 } }],
    [401, { is: 'missing', reason: 'answered 401' }],
    [500, { is: 'missing', reason: 'answered 500' }],
    [503, { is: 'missing', reason: 'answered 503' }],
    [302, { is: 'missing', reason: 'answered 302' }],
  ])('%i', async (code, expected) => {
    expect(await source(() => statusReply(code, 'R', 'words')).list()).toMatchObject(expected);
  });

  it.each(['<html>', '', '{"kind":"Status"}', 'null'])(
    'LIST-4: garbage %j is a member that is missing',
    async (text) => {
      expect(await source(() => replyOf(200, text)).list()).toMatchObject({ is: 'missing' });
    },
  );

  it('LIST-4, ERR-2: a member that cannot be reached is missing, without its address', async () => {
    const cause = new Error('connect ECONNREFUSED 10.0.0.7:6443');
    const answer = await source(() => Promise.reject(new UnreachableError(false, { cause }))).list();
    expect(answer).toEqual({ is: 'missing', reason: 'cannot be reached' });
  });

  it('429 is asked again until the member has time', async () => {
    let busy = 2;
    const { upstream, list } = source(() =>
      busy-- > 0 ? statusReply(429, 'TooManyRequests', 'busy', { 'retry-after': '0' }) : replyOf(200, page([1])),
    );
    expect(await itemsOf(await list())).toEqual([1]);
    expect(upstream.calls).toHaveLength(3);
  });

  it('LIST-4: 429 past the deadline is a member that is missing', async () => {
    const { upstream, list } = source(
      () => statusReply(429, 'TooManyRequests', 'busy', { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' }),
      50,
    );
    expect(await list()).toMatchObject({ is: 'missing' });
    expect(upstream.calls.length).toBeLessThan(5);
  });
});

describe('SEC-2: a time that somebody gives is one that a timer can keep', () => {
  it.each(['2147484', '99999999', '1e300', '1e999'])('Retry-After: %s is no tight loop', async (retryAfter) => {
    const busy = () => statusReply(429, 'TooManyRequests', 'busy', { 'retry-after': retryAfter });
    const { upstream, list } = source(busy, 100);
    expect(await list()).toMatchObject({ is: 'missing' });
    expect(upstream.calls).toHaveLength(1);
  });

  it.each(['1500us', '1.5ms', '2562047h'])('a list with timeout=%s', async (timeout) => {
    const upstream = new FakeUpstream(() => replyOf(200, page([1])));
    const options = { cluster: 'm1', upstream, streams: upstream, path: '/api/v1/pods', headers: {} };
    const query = readListQuery(`timeout=${timeout}`).begin('m1');
    const live = new LiveSource({ ...options, headDeadline: 60_000 });
    const answer = await live.list({ query, form: 'object', signal: new AbortController().signal });
    expect(['list', 'missing']).toContain(answer.is);
  });
});

describe('LIST-1: the deadline for the head of a list', () => {
  it('no answer at all', async () => {
    expect(await source(silence, 20).list()).toEqual({ is: 'missing', reason: 'did not answer in time' });
  });

  it('a status and then nothing', async () => {
    const { body, aborted } = openBody();
    expect(await source(() => ({ status: 200, headers: {}, body }), 20).list()).toEqual({
      is: 'missing',
      reason: 'did not answer in time',
    });
    await aborted;
  });

  it('an error whose body never comes', async () => {
    const { body, aborted } = openBody();
    expect(await source(() => ({ status: 500, headers: {}, body }), 20).list()).toMatchObject({ is: 'missing' });
    await aborted;
  });

  it('does not count for the body: a slow client may take its time', async () => {
    const { body, write } = openBody();
    write('{"kind":"L","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[');
    const { list, upstream } = source(() => ({ status: 200, headers: {}, body }), 20);
    const answer = await list();
    await new Promise((resolve) => AbortSignal.timeout(40).addEventListener('abort', resolve));
    write('{"n":1}]}');
    body.end();
    expect(await itemsOf(answer)).toEqual([1]);
    expect(upstream.calls[0]?.signal.aborted).toBe(false);
  });

  it('the client’s own departure is an error, not a missing member', async () => {
    const gone = new AbortController();
    const listing = source(silence).list(gone.signal);
    gone.abort(new Error('the client is gone'));
    await expect(listing).rejects.toThrow('the client is gone');
  });
});

describe('LIMIT-2: a member that has too much to do', () => {
  it('is asked again while there is time', async () => {
    let asked = 0;
    const { list } = source(() => {
      if (++asked === 1) throw new BusyError('m1');
      return replyOf(200, page([1]));
    });
    expect(await itemsOf(await list())).toEqual([1]);
    expect(asked).toBe(2);
  });

  it('is missing after that, as one that is busy', async () => {
    const { list } = source(() => Promise.reject(new BusyError('m1')), 20);
    expect(await list()).toEqual({ is: 'missing', reason: 'is busy' });
  });
});

describe('SEC-2: a member that answers garbage is missing, and named as such (LIST-4)', () => {
  const garbage = { is: 'missing', reason: 'gave an answer that cannot be read' };

  it.each([
    '',
    'x',
    '[]',
    'null',
    '{}',
    '{"items":5}',
    '{"items":null,"rows":[]}',
    '{"items":[]}',
    '{"kind":5,"items":[]}',
    '{"metadata":[],"items":[]}',
    '{"metadata":{"resourceVersion":{}},"items":[]}',
    '{"columnDefinitions":[{}],"rows":[]}',
    '{"items":[5]',
    '{"items":nul',
  ])('%j', async (text) => {
    const answer = await source(() => replyOf(200, text)).list();
    if (answer.is === 'list') await expect(itemsOf(answer)).rejects.toThrow();
    else expect(answer).toEqual(garbage);
  });

  it.each([200, 403, 500])('an answer %s without end', async (status) => {
    const { body, write, aborted } = openBody();
    for (let i = 0; i < 17; i++) write('x'.repeat(1024 * 1024));
    const answer = await source(() => ({ status, headers: {}, body })).list();
    expect(answer).toEqual(garbage);
    expect(await aborted).toBeInstanceOf(Error);
  });

  /** Larger than one object of that member may be, and at its end. */
  function tooLarge(status: number, begin: string, end: string) {
    const { body, write } = openBody(1_000);
    write(begin + 'x'.repeat(2_000) + end);
    body.end();
    return () => ({ status, headers: {}, body });
  }

  it('an item that is larger than an object may be breaks the list', async () => {
    const begin = '{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"a":"';
    const answer = await source(tooLarge(200, begin, '"}]}')).list();
    await expect(itemsOf(answer)).rejects.toThrow('more than 1000 bytes');
  });

  it('an event that is larger than an object may be ends the watch', async () => {
    const answer = await source(tooLarge(200, '{"type":"ADDED","object":{"a":"', '"}}\n')).watch();
    if (answer.is !== 'open') throw new Error('not open');
    await expect(Array.fromAsync(answer.batches)).rejects.toThrow('more than 1000 bytes');
  });

  it('so is a refusal', async () => {
    const refusal = () => source(tooLarge(403, '{"kind":"Status","message":"', '"}'));
    expect(await refusal().list()).toEqual(garbage);
    expect(await refusal().watch()).toEqual(garbage);
  });

  it('so is the refusal of a later page, which breaks the list', async () => {
    const later = tooLarge(500, '{"kind":"Status","message":"', '"}');
    const answer = await source((call) => (tokenOf(call) === '' ? replyOf(200, page([1], 'p2')) : later())).list();
    await expect(itemsOf(answer)).rejects.toThrow('more than 1000 bytes');
  });

  it.each([301, 302, 307, 308])('a redirect %s is not followed', async (status) => {
    const { list, upstream } = source(() => replyOf(status, '', { location: 'https://evil/' }));
    expect(await list()).toEqual({ is: 'missing', reason: `answered ${status}` });
    expect(upstream.calls).toHaveLength(1);
  });
});
