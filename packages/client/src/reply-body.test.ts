import { AnswerMemory } from '@fleet/kube/answer-memory.ts';
import { describe, expect, it, vi } from 'vitest';
import { bodyOf, ReplyBody } from './reply-body.ts';

const open = (objectLimit?: number) => {
  const producer = { pause: vi.fn(), resume: vi.fn(), abort: vi.fn() };
  return {
    producer,
    body: new ReplyBody(producer, objectLimit === undefined ? undefined : new AnswerMemory(objectLimit)),
  };
};

const kib = (n: number) => Buffer.alloc(n * 1024, 'x');

describe('ReplyBody', () => {
  it('pauses its producer above 512 KiB, and resumes it when half is read', async () => {
    const { producer, body } = open();
    for (let i = 0; i < 3; i++) body.push(kib(200));
    expect(producer.pause).toHaveBeenCalledTimes(1);
    const reading = body[Symbol.asyncIterator]();
    await reading.next();
    expect(producer.resume).not.toHaveBeenCalled();
    await reading.next();
    expect(producer.resume).toHaveBeenCalledTimes(1);
  });

  it('SEC-2: chunks of a byte pause their producer by their number', () => {
    const { producer, body } = open();
    for (let i = 0; i < 4_000; i++) body.push(Buffer.from('x'));
    expect(producer.pause).toHaveBeenCalledTimes(1);
    expect(body.arrived()).toHaveLength(4_000);
    expect(producer.resume).toHaveBeenCalledTimes(1);
  });

  it('joins small chunks and keeps their order', async () => {
    const { body } = open();
    for (const text of ['a', 'b', 'c']) body.push(Buffer.from(text));
    const reading = body[Symbol.asyncIterator]();
    expect(String((await reading.next()).value)).toBe('abc');
    const next = reading.next();
    body.push(Buffer.from('d'));
    expect(String((await next).value)).toBe('d');
    body.end();
    expect((await reading.next()).done).toBe(true);
  });

  it('a chunk larger than all limits is given as it is', async () => {
    const { body } = open();
    body.push(kib(2048));
    body.end();
    expect((await body.bytes()).length).toBe(2048 * 1024);
  });

  it('yields the bytes before a failure, then fails: never a clean end', async () => {
    const { body } = open();
    body.push(Buffer.from('a'));
    body.fail(new Error('reset'));
    body.end();
    const reading = body[Symbol.asyncIterator]();
    expect(String((await reading.next()).value)).toBe('a');
    await expect(reading.next()).rejects.toThrow('reset');
  });

  it('a reader that stops cancels the rest', async () => {
    const { producer, body } = open();
    body.push(Buffer.from('a'));
    for await (const _ of body) break;
    expect(producer.abort).toHaveBeenCalledTimes(1);
  });

  it('cancelling wakes the reader with the reason, and does nothing after the end', async () => {
    const { producer, body } = open();
    const next = body[Symbol.asyncIterator]().next();
    body.cancel(new Error('too late'));
    await expect(next).rejects.toThrow('too late');
    const whole = bodyOf(Buffer.from('x'));
    expect(String(await whole.bytes())).toBe('x');
    whole.cancel();
    expect(producer.abort).toHaveBeenCalledTimes(1);
  });

  it('bytes() refuses a body above its limit and cancels it', async () => {
    const { producer, body } = open();
    body.push(kib(2));
    await expect(body.bytes(1024)).rejects.toThrow('more than 1024');
    expect(producer.abort).toHaveBeenCalledTimes(1);
  });

  it('SEC-2: bytes() takes no more than one object of its server may have, 16 MiB by default', async () => {
    const { body } = open(1024);
    body.push(kib(2));
    body.end();
    await expect(body.bytes()).rejects.toThrow('more than 1024');
    expect(open().body.memory.objectLimit).toBe(16 * 1024 * 1024);
  });

  it('whole() returns a complete body, and nothing of one that is incomplete, empty, or failed', async () => {
    const { body } = open();
    body.push(Buffer.from('a'));
    expect(body.whole()).toBeUndefined();
    body.push(Buffer.from('b'));
    body.end();
    expect(String(body.whole())).toBe('ab');
    expect((await body.bytes()).length).toBe(0);
    expect(bodyOf(Buffer.alloc(0)).whole()).toBeUndefined();
    const broken = open().body;
    broken.push(Buffer.from('a'));
    broken.fail(new Error('reset'));
    expect(broken.whole()).toBeUndefined();
    expect(bodyOf(kib(257)).whole()).toBeUndefined();
  });

  it('an empty body has no chunk', async () => {
    expect((await bodyOf(Buffer.alloc(0)).bytes()).length).toBe(0);
  });
});
