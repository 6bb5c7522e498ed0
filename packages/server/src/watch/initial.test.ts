import { expect, it } from 'vitest';
import { readListQuery } from '../merge/list-query.ts';
import type { Source, SourceList } from '../merge/source.ts';
import { EventEncoder } from './encode.ts';
import { sendInitial } from './initial.ts';

const head = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '7' } };

/** Answers one list after the other. */
function sourceOf(...answers: (() => AsyncGenerator<Buffer[]>)[]): () => Source {
  const list = async (): Promise<SourceList> => ({ is: 'list', head, items: answers.shift()!(), end: () => head });
  return () => ({ list }) as unknown as Source;
}

async function sent(source: () => Source): Promise<string[]> {
  const received: string[] = [];
  await sendInitial({
    cluster: 'm1',
    source,
    query: readListQuery(''),
    form: 'object',
    encoder: new EventEncoder({ view: { names: 'name-suffixed' }, isEvent: false, asked: undefined, form: 'object' }),
    onVersion: () => {},
    send: async ({ bytes }) => void received.push(bytes.toString()),
    signal: new AbortController().signal,
  });
  return received;
}

const object = (name: string) => Buffer.from(`{"metadata":{"name":"${name}"}}`);

it('WATCH-3: a list that breaks off is requested again, and resumes from its position', async () => {
  const received = await sent(
    sourceOf(
      async function* () {
        yield [object('a')];
        throw new Error('the connection is gone');
      },
      async function* () {
        yield [object('a'), object('b')];
      },
    ),
  );
  expect(received.join('').match(/"name":"\w/g)).toEqual(['"name":"a', '"name":"b']);
});

it('what cannot be put into an event is reported, and not requested for ever', async () => {
  const broken = sourceOf(async function* () {
    yield [Buffer.from('1')];
  });
  await expect(sent(broken)).rejects.toThrow('expected {');
});
