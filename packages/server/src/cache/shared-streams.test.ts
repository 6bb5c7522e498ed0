import type { Events, EventsAsk, Shard } from '@fleet/cache/messages.ts';
import { expect, it } from 'vitest';
import type { SourceBatch } from '../merge/source.ts';
import type { ToBatch } from './shared-stream.ts';
import { SharedStreams } from './shared-streams.ts';

const ask = { feed: 'pods', selection: {}, form: { as: 'object', inList: false } as const };
const start = { after: 1, skip: 0, position: '10' };

const answerOf = (version: string, at: Pick<Events, 'seq' | 'skip' | 'position'>): Events => ({
  ...{ is: 'events', chunk: new Uint8Array(), ends: new Uint32Array(), types: [], resumable: false },
  versions: [version],
  leadsTo: '20',
  ...at,
});

const toBatch: ToBatch = (answer) =>
  answer.is === 'events' ? { events: [], position: answer.versions[0]!, resumable: false } : undefined;

it('WATCH-6: who comes within a difference that others are being sent reads its first part, too', async () => {
  const rest = Promise.withResolvers<void>();
  const events = async ({ after, skip }: EventsAsk): Promise<Events> => {
    if (after === 2) return new Promise(() => {});
    if (skip === 0) return answerOf('first part', { seq: 1, skip: 5, position: '10' });
    await rest.promise;
    return answerOf('second part', { seq: 2, skip: 0, position: '20' });
  };
  const streams = new SharedStreams({ events } as unknown as Shard);
  const { signal } = new AbortController();
  const next = async (reader: AsyncGenerator<SourceBatch>) => (await reader.next()).value?.position;
  const first = streams.read(ask, start, toBatch, signal);
  expect(await next(first)).toBe('first part');
  const second = streams.read(ask, start, toBatch, signal);
  expect(await next(second)).toBe('first part');
  rest.resolve();
  expect(await Promise.all([next(first), next(second)])).toEqual(['second part', 'second part']);
  expect(streams.size).toBe(1);
});

it('WATCH-2: a watch that is past a bookmark of the shared stream is not sent it: its position never goes back', async () => {
  const bookmarks = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let asked = 0;
  const events = async (): Promise<Events> => {
    const position = await (bookmarks[asked++]?.promise ?? new Promise<never>(() => {}));
    return answerOf(position, { seq: 1, skip: 0, position });
  };
  const streams = new SharedStreams({ events } as unknown as Shard);
  const { signal } = new AbortController();
  const next = async (reader: AsyncGenerator<SourceBatch>) => (await reader.next()).value?.position;
  const behind = streams.read(ask, start, toBatch, signal);
  const first = next(behind);
  const ahead = streams.read(ask, { ...start, position: '15' }, toBatch, signal);
  const sent = next(ahead);
  bookmarks[0]!.resolve('12');
  expect(await first).toBe('12');
  bookmarks[1]!.resolve('20');
  expect(await sent).toBe('20');
  expect(streams.size).toBe(1);
});
