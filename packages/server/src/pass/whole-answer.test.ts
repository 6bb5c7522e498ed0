import { ReplyBody } from '@fleet/client/reply-body.ts';
import type { BytesReply } from '@fleet/client/upstream.ts';
import { AnswerMemory } from '@fleet/kube/answer-memory.ts';
import { describe, expect, it, vi } from 'vitest';
import type { PlainReply, Reply } from '../http/message.ts';
import { bodyText } from '../testing/body-text.ts';
import { FakeUpstream } from '../testing/fake-upstream.ts';
import { knownKinds } from '../testing/known-kinds.ts';
import { incomingOf, stripAt, targetOf } from '../testing/targets.ts';
import { pass } from './pass.ts';
import { discard, wholeAnswer } from './whole-answer.ts';

const pods = '/api/v1/namespaces/d.clusterspace.m1/pods';
const limit = 10_000;

/** Its body continues until its reader stops. A reader without a bound comes to an end all the same, a hundred times as far. */
function endless(status: number, begin: string, again: string) {
  const abort = vi.fn();
  let over = false;
  let sent = 0;
  const more = () => {
    if (over) return;
    sent += again.length;
    if (sent < 100 * limit) return body.push(Buffer.from(again));
    over = true;
    body.end();
  };
  const resume = () => setImmediate(more);
  const body: ReplyBody = new ReplyBody(
    {
      pause() {},
      resume,
      abort(reason) {
        over = true;
        abort(reason);
      },
    },
    new AnswerMemory(limit),
  );
  body.push(Buffer.from(begin));
  const pushing = setInterval(() => (over ? clearInterval(pushing) : more()), 0);
  const reply: BytesReply = { status, headers: { 'content-type': 'application/json' }, body };
  return { reply, abort };
}

const passed = (reply: BytesReply, method: string, url: string): Promise<Reply> =>
  pass(
    {
      cluster: 'm1',
      ready: true,
      upstream: new FakeUpstream(() => reply),
      identity: {},
      strip: stripAt('m1'),
      kinds: knownKinds,
    },
    targetOf(method, url),
    incomingOf(method, url),
  );

const unreadable = { code: 502, message: 'cluster "m1" broke off its answer, or sent an invalid one' };

describe('SEC-2: an answer that never ends', () => {
  it.each([
    ['an object', 200, 'GET', `${pods}/x`],
    ['an object that was written', 200, 'PATCH', `${pods}/x`],
    ['an error', 404, 'GET', `${pods}/x`],
    ['an error of a stream', 500, 'GET', `${pods}/x/log`],
    ['the status of a deletion', 200, 'DELETE', pods],
  ])('%s is 502, and its connection is closed', async (_, status, method, url) => {
    const { reply, abort } = endless(status, '{"kind":"Pod","a":"', 'x'.repeat(1000));
    await expect(passed(reply, method, url)).rejects.toMatchObject(unreadable);
    expect(abort).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['an item of a list', pods, '{"kind":"PodList","items":[{"a":"'],
    ['an event', `${pods}?watch=true`, '{"type":"ADDED","object":{"a":"'],
  ])('%s breaks the answer off', async (_, url, begin) => {
    const { reply, abort } = endless(200, begin, 'x'.repeat(1000));
    const answer = await passed(reply, 'GET', url);
    await expect(bodyText(answer as PlainReply)).rejects.toThrow();
    expect(abort).toHaveBeenCalledTimes(1);
  });

  it('what only passes through is not held, and so not limited', async () => {
    const { reply } = endless(200, '{"kind":"Pod","a":"', 'x'.repeat(1000));
    const { body } = (await passed(reply, 'GET', '/clusterspaces/m1/api/v1/namespaces/d/pods/x')) as PlainReply;
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > 10 * limit) break;
    }
    expect(size).toBeGreaterThan(10 * limit);
  });

  it('a collection that was deleted is a list, of any length', async () => {
    const item = JSON.stringify({ metadata: { name: 'x', namespace: 'd', filler: 'x'.repeat(1000) } });
    const text = `{"kind":"PodList","metadata":{},"items":[${Array(50).fill(item).join()}]}`;
    const body = new ReplyBody({ pause() {}, resume() {}, abort() {} }, new AnswerMemory(limit));
    for (let at = 0; at < text.length; at += 100) body.push(Buffer.from(text.slice(at, at + 100)));
    body.end();
    const reply = { status: 200, headers: { 'content-type': 'application/json' }, body };
    const list = JSON.parse(await bodyText((await passed(reply, 'DELETE', pods)) as PlainReply));
    expect(list.items).toHaveLength(50);
    expect(list.items[49].metadata.namespace).toBe('d.clusterspace.m1');
  });
});

describe('SEC-2: large answers of one member at once', () => {
  const mib = 1024 * 1024;
  const large = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"x","namespace":"d"},"a":"${'x'.repeat(3 * mib)}"}`;
  const ask = (memory: AnswerMemory, text = large, method = 'GET') => {
    const body = new ReplyBody({ pause() {}, resume() {}, abort() {} }, memory);
    for (let at = 0; at < text.length; at += mib) body.push(Buffer.from(text.slice(at, at + mib)));
    body.end();
    return passed({ status: 200, headers: { 'content-type': 'application/json' }, body }, method, `${pods}/x`);
  };

  it('wait for each other without an error, and no other member notices', async () => {
    const memory = new AnswerMemory(4 * mib);
    const answers = Array.from({ length: 20 }, () => ask(memory));
    let open = 0;
    for (const answer of answers) answer.then(() => open++);
    await vi.waitFor(() => expect(open).toBe(4));
    await ask(new AnswerMemory(4 * mib));
    await ask(memory, '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"x","namespace":"d"}}');
    for (const answer of answers)
      expect(await bodyText((await answer) as PlainReply)).toHaveLength(large.length + '.clusterspace.m1'.length);
    expect(memory.free).toBe(4);
  });

  it('are 429 where the others are not read, and cut off by the listener', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const memory = new AnswerMemory(4 * mib);
    const unread = (await Promise.all(Array.from({ length: 4 }, () => ask(memory)))) as PlainReply[];
    expect(unread.every(({ mustMove }) => mustMove?.())).toBe(true);
    const late = ask(memory);
    late.catch(() => {});
    await vi.advanceTimersByTimeAsync(30_000);
    vi.useRealTimers();
    await expect(late).rejects.toMatchObject({ code: 429, message: expect.stringContaining('"m1"') });
    for (const reply of unread) await discard(reply);
    expect(memory.free).toBe(4);
  });

  it('do not wait for a client that has left', async () => {
    const memory = new AnswerMemory(4 * mib);
    const unread = (await Promise.all(Array.from({ length: 4 }, () => ask(memory)))) as PlainReply[];
    const body = new ReplyBody({ pause() {}, resume() {}, abort() {} }, memory);
    const reply = { status: 200, headers: { 'content-type': 'application/json' }, body };
    const left = passed(reply, 'GET', `${pods}/x`);
    left.catch(() => {});
    for (let i = 0; i < 3; i++) body.push(Buffer.alloc(mib, '{'));
    // It is read in a few turns of the event loop, as far as there is memory.
    for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
    body.fail(new Error('the client has left'));
    await expect(left).rejects.toMatchObject({ code: 502 });
    for (const one of unread) await discard(one);
    expect(memory.free).toBe(4);
  });

  it('report that a write was done, whatever is held', async () => {
    const memory = new AnswerMemory(4 * mib);
    const unread = (await Promise.all(Array.from({ length: 4 }, () => ask(memory)))) as PlainReply[];
    const written = (await ask(memory, large, 'PATCH')) as PlainReply;
    expect(await bodyText(written)).toHaveLength(large.length + '.clusterspace.m1'.length);
    for (const reply of unread) await discard(reply);
  });

  it('are dropped where their member falls silent in the middle', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const abort = vi.fn();
    const memory = new AnswerMemory(4 * mib);
    const body = new ReplyBody({ pause() {}, resume() {}, abort }, memory);
    for (let i = 0; i < 3; i++) body.push(Buffer.alloc(mib, '{'));
    const silent = passed({ status: 200, headers: { 'content-type': 'application/json' }, body }, 'GET', `${pods}/x`);
    silent.catch(() => {});
    for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    await expect(silent).rejects.toMatchObject(unreadable);
    expect([abort.mock.calls.length, memory.free]).toEqual([1, 4]);
  });

  it('hold nothing any more once they cannot be read', async () => {
    const memory = new AnswerMemory(4 * mib);
    await expect(ask(memory, `{"kind":"Pod"${'x'.repeat(3 * mib)}`)).rejects.toMatchObject(unreadable);
    expect(memory.free).toBe(4);
  });
});

describe('an answer that is here already', () => {
  const reply = (body: Buffer): PlainReply => ({
    is: 'plain',
    status: 200,
    headers: {},
    body,
    memory: new AnswerMemory(limit),
  });

  it('is not copied', async () => {
    const body = Buffer.from('{}');
    using answer = await wholeAnswer(reply(body));
    expect(answer.view().buffer).toBe(body.buffer);
    expect(answer.view().toString()).toBe('{}');
    expect(answer.isLarge).toBe(false);
  });

  it('(SEC-2) is no larger than others may be', async () => {
    await expect(wholeAnswer(reply(Buffer.alloc(limit + 1)))).rejects.toThrow('more than 10000 bytes');
  });
});
