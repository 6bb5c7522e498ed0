import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ControlChannel } from './control-channel.ts';
import { readAgentMessage, readServerMessage } from './control-messages.ts';

const hello = { type: 'hello', version: '1.0.0', instance: 'one', kind: 'bulk' };
const credentials = { caBundle: 'ca', controlToken: 'a', impersonatorToken: 'b' };

describe('messages', () => {
  test('are read, and fields of a later version are left out', () => {
    expect(readAgentMessage(JSON.stringify({ ...hello, later: 1 }))).toEqual(hello);
    const handed = { type: 'credentials', id: 1, credentials };
    expect(readAgentMessage(JSON.stringify(handed))).toEqual(handed);
    const replicas = { type: 'replicas', self: 'a', count: 2, addresses: ['a:443', 'b:443'] };
    expect(readServerMessage(JSON.stringify(replicas))).toEqual(replicas);
    expect(readServerMessage('{"type":"credentials-stored","id":2}')).toEqual({ type: 'credentials-stored', id: 2 });
  });

  test('of an unknown type are ignored', () => {
    expect(readAgentMessage('{"type":"later"}')).toBeUndefined();
    expect(readServerMessage('{"type":"later"}')).toBeUndefined();
  });

  test.each([
    'secret-token',
    '"secret-token"',
    JSON.stringify({ ...hello, kind: 'secret-token' }),
    JSON.stringify({ ...hello, version: 'secret-token'.repeat(100) }),
    JSON.stringify({ type: 'credentials', id: 1, credentials: { caBundle: 'ca', controlToken: 'secret-token' } }),
    JSON.stringify({ type: 'credentials', id: -1, credentials }),
  ])('that are malformed throw, without quoting their content: %s', (line) => {
    expect(() => readAgentMessage(line)).toThrow(/^(?!.*secret)(malformed control message|a control message is not)/);
  });
});

describe('the channel', () => {
  function setUp() {
    const stream = new PassThrough();
    const [received, failures]: [string[], string[]] = [[], []];
    const channel = new ControlChannel<string, object>(
      stream,
      (line) => line,
      (line) => received.push(line),
      (error) => failures.push(error.message),
    );
    const flushed = () => new Promise((resolve) => setImmediate(resolve));
    return { stream, received, failures, channel, flushed };
  }

  test('splits lines wherever they are cut, and only at newlines', async () => {
    const { stream, received, flushed } = setUp();
    for (const piece of ['on', 'e\ntw', 'o\u2028 and', ' three\n\nfour']) stream.write(piece);
    await flushed();
    expect(received).toEqual(['one', 'two\u2028 and three', '']);
  });

  test('a line without end is too long', async () => {
    const { stream, failures, flushed } = setUp();
    for (let sent = 0; sent <= 1024; sent++) stream.write(Buffer.alloc(1024, 'x'));
    await flushed();
    expect(failures).toContain('more than 1048576 bytes in one object');
  });

  test('unread messages are limited', () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    const failures: string[] = [];
    const channel = new ControlChannel<string, object>(
      stream,
      () => undefined,
      () => {},
      (error) => failures.push(error.message),
    );
    stream.pause();
    for (let sent = 0; sent < 5; sent++) channel.send({ text: 'x'.repeat(1024 * 1024) });
    expect(failures).toContain('control messages are not read');
  });
});
