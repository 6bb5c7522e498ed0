import { ReplyBody } from '@fleet/client/reply-body.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PlainReply, Sink } from '../http/message.ts';
import { PushedStream } from '../http/pushed-stream.ts';
import { isPushed } from '../http/sink.ts';
import { incomingOf, targetOf } from '../testing/targets.ts';
import { createDrain } from './drain.ts';

const watchUrl = '/clusterspaces/m1/api/v1/pods?watch=true';

type How = 'read' | 'pushed';
let how: How = 'read';

async function opened(url = watchUrl, contentType = 'application/json') {
  const drain = createDrain();
  const body = new ReplyBody({ pause() {}, resume() {}, abort() {} });
  const incoming = incomingOf('GET', url);
  const handler = drain.wrap(async () => {
    drain.onTarget(incoming, targetOf('GET', url));
    const answer = how === 'pushed' ? new PushedStream(body) : body;
    return { is: 'plain', status: 200, headers: { 'content-type': contentType }, body: answer };
  });
  const reply = (await handler(incoming)) as PlainReply;
  let seen = '';
  let ended = false;
  // A pushed body has to stay one: it is how thousands of watches are written.
  expect(isPushed(reply.body)).toBe(how === 'pushed');
  const reading = (async () => {
    if (isPushed(reply.body)) await reply.body.pushInto(sinkInto((chunk) => (seen += chunk)));
    else for await (const chunk of reply.body as AsyncIterable<Buffer>) seen += String(chunk);
    ended = true;
  })();
  const push = async (line: string) => {
    const before = seen;
    body.push(Buffer.from(line));
    await vi.waitFor(() => expect(seen).not.toBe(before));
  };
  return { drain, body, reading, push, seen: () => seen, ended: () => ended };
}

const sinkInto = (write: (text: string) => void): Sink => ({
  write: (chunk) => {
    write(String(chunk));
    return true;
  },
  unsent: 0,
  onDrain: () => ({ [Symbol.dispose]: () => {} }),
});

describe('LIMIT-1: the end is announced', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('it is not ready at once; watches go on until the delay is over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const { drain, reading, body, seen, ended } = await opened();
    const announced = drain.announce(60_000).then(() => drain.begin());
    expect(drain.begun).toBe(true);
    await vi.advanceTimersByTimeAsync(30_000);
    body.push(Buffer.from('{"type":"ADDED"}\n'));
    await vi.waitFor(() => expect(seen()).not.toBe(''));
    expect(ended()).toBe(false);
    await vi.advanceTimersByTimeAsync(30_000);
    await announced;
    await reading;
    expect(seen()).toBe('{"type":"ADDED"}\n');
  });

  it('without a delay there is nothing to wait for', async () => {
    const { drain } = await opened();
    expect(drain.begun).toBe(false);
    await drain.announce(0);
    expect(drain.begun).toBe(true);
  });
});

describe.each<How>(['read', 'pushed'])('LIMIT-1: watches end cleanly, %s', (mode) => {
  beforeEach(() => {
    how = mode;
  });
  afterEach(() => {
    how = 'read';
  });

  it('a quiet one at once', async () => {
    const { drain, reading, push, seen } = await opened();
    await push('{"type":"ADDED"}\n');
    drain.begin();
    await reading;
    expect(seen()).toBe('{"type":"ADDED"}\n');
    expect(drain.begun).toBe(true);
  });

  it('one in the middle of an event with the end of that event', async () => {
    const { drain, body, reading, push, seen, ended } = await opened();
    await push('{"type":"ADDED"}\n{"type":');
    drain.begin();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ended()).toBe(false);
    body.push(Buffer.from('"MODI'));
    body.push(Buffer.from('FIED"}\n{"type":"DEL'));
    await reading;
    expect(seen()).toBe('{"type":"ADDED"}\n{"type":"MODIFIED"}\n');
  });

  it('one that begins afterwards at once', async () => {
    const { drain, reading, seen } = await opened('/clusterspaces/m1/api/v1/pods?watch=1');
    drain.begin();
    await reading;
    expect(seen()).toBe('');
  });

  it('an error is still an error', async () => {
    const { body, reading } = await opened();
    body.fail(new Error('broke off'));
    await expect(reading).rejects.toThrow('broke off');
  });

  it('lists and logs are left to finish', async () => {
    for (const url of ['/clusterspaces/m1/api/v1/pods', '/clusterspaces/m1/api/v1/namespaces/a/pods/x/log?follow=1']) {
      const { drain, body, reading, seen } = await opened(url);
      drain.begin();
      body.push(Buffer.from('all of it'));
      body.end();
      await reading;
      expect(seen()).toBe('all of it');
    }
  });

  it('an event of 10 MB passes as it is', async () => {
    const { body, reading, seen } = await opened();
    body.push(Buffer.from(`${'x'.repeat(10_000_000)}\n`));
    body.end();
    await reading;
    expect(seen()).toHaveLength(10_000_001);
  });
});
