import { StatusError } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import { liveEvents } from './live-events.ts';
import type { SourceBatch } from './source.ts';

const line = (type: string, version: string, object: object = { metadata: { resourceVersion: version } }) =>
  Buffer.from(JSON.stringify({ type, object }));

async function* coming(...batches: Buffer[][]) {
  yield* batches;
}

const shown = ({ events, ...batch }: SourceBatch) => ({
  events: events.map(({ read, position }) => [read.type, read.version, position]),
  ...batch,
});

/** What came, and how it ended. */
async function read(...batches: Buffer[][]) {
  const reported: ReturnType<typeof shown>[] = [];
  try {
    for await (const batch of liveEvents(coming(...batches), '7')) reported.push(shown(batch));
  } catch (error) {
    return { reported, error };
  }
  return { reported, error: undefined };
}

describe('WATCH-4: a member’s events', () => {
  it('have their version as position, a batch that of the last', async () => {
    const { reported } = await read([line('ADDED', '8'), line('DELETED', '9')], [line('MODIFIED', '12')]);
    expect(reported).toEqual([
      {
        events: [
          ['ADDED', '8', '8'],
          ['DELETED', '9', '9'],
        ],
        position: '9',
        resumable: true,
      },
      { events: [['MODIFIED', '12', '12']], position: '12', resumable: true },
    ]);
  });

  it('bookmarks are no events, but move the position', async () => {
    const { reported } = await read([line('ADDED', '8'), line('BOOKMARK', '20')], [line('BOOKMARK', '30')]);
    expect(reported).toEqual([
      { events: [['ADDED', '8', '8']], position: '20', resumable: true },
      { events: [], position: '30', resumable: true },
    ]);
  });

  it('one without a version stands where the last one did', async () => {
    const { reported } = await read([line('ADDED', '', { metadata: {} })]);
    expect(reported).toEqual([{ events: [['ADDED', '', '7']], position: '7', resumable: true }]);
  });
});

describe('what comes before an end counts', () => {
  const gone = line('ERROR', '', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' });
  const other = line('ERROR', '', { kind: 'Status', code: 500, message: 'etcd leader changed' });
  const first = { events: [['ADDED', '8', '8']], position: '8', resumable: true, isFailing: true };

  it('after a 410 the rest is gone', async () => {
    const { reported, error } = await read([line('ADDED', '8'), gone, line('ADDED', '9')]);
    expect(reported).toEqual([first]);
    expect(error).toBeInstanceOf(StatusError);
    expect(error).toMatchObject({ code: 410, message: 'too old' });
  });

  it('any other error just ends it', async () => {
    expect(await read([line('ADDED', '8'), other], [line('ADDED', '9')])).toEqual({
      reported: [first],
      error: undefined,
    });
  });

  it('garbage breaks it off', async () => {
    const { reported, error } = await read([line('ADDED', '8'), Buffer.from('{"type":'), line('ADDED', '9')]);
    expect(reported).toEqual([first]);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(StatusError);
  });
});
