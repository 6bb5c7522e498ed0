import { ReplyBody } from '@fleet/client/reply-body.ts';
import { describe, expect, test } from 'vitest';
import type { Sink } from './message.ts';
import { PushedStream } from './pushed-stream.ts';

function open() {
  const calls: string[] = [];
  const body = new ReplyBody({
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    abort: ({ message }) => calls.push(message),
  });
  const written: Buffer[] = [];
  let drain: (() => void) | undefined;
  const sink: Sink & { takes: boolean } = {
    takes: true,
    unsent: 0,
    write(chunk) {
      written.push(chunk);
      return sink.takes;
    },
    onDrain(listener) {
      drain = listener;
      return {
        [Symbol.dispose]: () => {
          drain = undefined;
        },
      };
    },
  };
  return { body, calls, sink, written, drain: () => drain?.(), isReleased: () => drain === undefined };
}

describe('another server’s stream, pushed on', () => {
  test('what comes together leaves in one write, and its end ends it', async () => {
    const { body, sink, written, isReleased } = open();
    body.push(Buffer.from('a\n'));
    const pushed = new PushedStream(body).pushInto(sink);
    body.push(Buffer.from('b\n'));
    await expect.poll(() => written.map(String)).toEqual(['a\nb\n']);
    body.push(Buffer.from('c\n'));
    body.end();
    await pushed;
    expect(written.map(String)).toEqual(['a\nb\n', 'c\n']);
    expect(isReleased()).toBe(true);
  });

  test('to many, the same bytes are put together once', async () => {
    const lines = ['a\n', 'b\n'].map((line) => Buffer.from(line));
    const streams = [open(), open()];
    for (const { body, sink } of streams) {
      void new PushedStream(body).pushInto(sink);
      for (const line of lines) body.push(line);
    }
    await expect.poll(() => streams.map(({ written }) => written.length)).toEqual([1, 1]);
    expect(streams[0]!.written[0]).toBe(streams[1]!.written[0]);
  });

  test('WATCH-7: a connection that takes no more holds the other server up', async () => {
    const { body, calls, sink, written, drain } = open();
    sink.takes = false;
    void new PushedStream(body).pushInto(sink);
    body.push(Buffer.from('first\n'));
    await expect.poll(() => written.length).toBe(1);
    for (let sent = 0; sent < 9; sent += 1) body.push(Buffer.alloc(60_000));
    expect(calls).toEqual(['pause']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(written).toHaveLength(1);
    sink.takes = true;
    drain();
    expect(calls).toEqual(['pause', 'resume']);
    expect(Buffer.concat(written)).toHaveLength(6 + 9 * 60_000);
  });

  test('one that breaks off does so here, too', async () => {
    const { body, sink, isReleased } = open();
    const pushed = new PushedStream(body).pushInto(sink);
    body.fail(new Error('gone'));
    await expect(pushed).rejects.toThrow('gone');
    expect(isReleased()).toBe(true);
  });
});
