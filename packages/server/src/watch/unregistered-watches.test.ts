import { PassThrough } from 'node:stream';
import { ReplyBody } from '@fleet/client/reply-body.ts';
import { describe, expect, it } from 'vitest';
import type { Incoming, PlainReply, Reply } from '../http/message.ts';
import { PushedStream } from '../http/pushed-stream.ts';
import { incomingOf } from '../testing/targets.ts';
import { UnregisteredWatches } from './unregistered-watches.ts';

const asked = { group: '', version: 'v1', resource: 'secrets', namespace: undefined };
const gone = new AbortController();

function scene(headers: PlainReply['headers'] = { 'content-type': 'application/json' }) {
  const registered = new Set<string>();
  const watches = new UnregisteredWatches({ isRegistered: ({ resource }) => registered.has(resource) });
  const body = new ReplyBody({ pause() {}, resume() {}, abort() {} });
  let upstream: AbortSignal | undefined;
  const open = (reply: Reply = { is: 'plain', status: 200, headers, body: new PushedStream(body) }) =>
    watches.pass(asked, incomingOf('GET', '/', { signal: gone.signal }), async ({ signal }: Incoming) => {
      upstream = signal;
      return reply;
    });
  const read = async (reply: Reply) => {
    const sent: string[] = [];
    const ended = (async () => {
      for await (const chunk of (reply as PlainReply).body as AsyncIterable<Buffer>) sent.push(chunk.toString());
    })();
    return { sent, ended };
  };
  const register = (resource: string): void => {
    registered.add(resource);
    watches.check();
  };
  return { watches, body, open, read, register, isClosed: () => upstream?.aborted };
}

describe('CACHE-4: a watch of the control plane whose resource is registered', () => {
  it('ends with 410 between two events, and others go on', async () => {
    const { watches, body, open, read, register, isClosed } = scene();
    const { sent, ended } = await read(await open());
    body.push(Buffer.from('{"type":"ADDED"}\n{"type":'));
    await expect.poll(() => sent).toHaveLength(1);
    register('pods');
    expect(watches.size).toBe(1);
    register('secrets');
    body.push(Buffer.from('"MODIFIED"}\n'));
    await ended;
    const [error, ...events] = sent.join('').trim().split('\n').toReversed();
    expect(events).toEqual(['{"type":"MODIFIED"}', '{"type":"ADDED"}']);
    expect(JSON.parse(error!)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    expect([watches.size, isClosed()]).toEqual([0, true]);
  });

  it('also a quiet one, and one that was registered before it was open', async () => {
    const { open, read, register } = scene();
    const quiet = await read(await open());
    register('secrets');
    await quiet.ended;
    const late = await read(await open());
    await late.ended;
    for (const { sent } of [quiet, late]) expect(sent.join('')).toContain('"code":410');
  });

  it('one in another form just ends', async () => {
    const { body, open, read, register } = scene({
      'content-type': 'application/vnd.kubernetes.protobuf;stream=watch',
    });
    const { sent, ended } = await read(await open());
    body.push(Buffer.from('frame'));
    await expect.poll(() => sent).toEqual(['frame']);
    register('secrets');
    await ended;
    expect(sent).toEqual(['frame']);
  });

  it('one over a WebSocket is closed', async () => {
    const { watches, open, register } = scene();
    const stream = new PassThrough();
    await open({ is: 'upgraded', status: 101, statusText: '', headers: {}, stream, head: Buffer.alloc(0) });
    register('secrets');
    await expect.poll(() => watches.size).toBe(0);
    expect(stream.destroyed).toBe(true);
  });

  it('a refusal passes, and nothing is left of those that end or fail', async () => {
    const { watches, body, open, read } = scene();
    const refusal: Reply = { is: 'plain', status: 403, headers: {}, body: Buffer.from('{}') };
    expect(await open(refusal)).toBe(refusal);
    const failed = watches.pass(asked, incomingOf('GET', '/'), () => Promise.reject(new Error('unreachable')));
    await expect(failed).rejects.toThrow('unreachable');
    const { ended } = await read(await open());
    body.end();
    await ended;
    await open();
    expect(watches.size).toBe(1);
    gone.abort();
    expect(watches.size).toBe(0);
  });
});
