import { describe, expect, it } from 'vitest';
import { readEventLine } from '../merge/event-line.ts';
import { readListQuery } from '../merge/list-query.ts';
import { readSelection } from '../merge/selection.ts';
import type { ListAsk, Source, SourceBatch } from '../merge/source.ts';
import { listOf } from '../testing/fake-source.ts';
import { withinNamespaces } from './registered-source.ts';

const object = (namespace: string, name: string) => ({ metadata: { name, namespace, resourceVersion: '1' } });
const row = (namespace: string, name: string) => ({ cells: [name], object: object(namespace, name) });

/** A member with these objects, in pages of the requested size. */
function member(names: readonly string[], asked: ListAsk[] = []): Source {
  const all = names.map((name) => object(name.split('/')[0]!, name.split('/')[1]!));
  const rows = names.map((name) => row(name.split('/')[0]!, name.split('/')[1]!));
  return {
    cluster: 'm1',
    list(ask) {
      asked.push(ask);
      const { at, limit = all.length } = ask.query;
      const from = at.is === 'after' ? Number(at.token) : 0;
      const rest = all.length - from - limit;
      const more = rest > 0 ? { continue: String(from + limit), remainingItemCount: rest } : {};
      const metadata = { resourceVersion: '7', ...more };
      const shown =
        ask.form === 'Table'
          ? { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata, rows: rows.slice(from, from + limit) }
          : { kind: 'PodList', apiVersion: 'v1', metadata, items: all.slice(from, from + limit) };
      return listOf({ text: JSON.stringify(shown) });
    },
    watch: async () => ({ is: 'missing', reason: '' }),
    canWatch: async () => ({ is: 'allowed' }),
    hasLost: async () => false,
  };
}

async function listed(source: Source, query: string, form: ListAsk['form'] = 'object') {
  const { limit } = readListQuery(query);
  const ask = { query: readListQuery(query).begin('m1', limit), form, signal: new AbortController().signal };
  const answer = await source.list(ask);
  if (answer.is !== 'list') throw new Error(answer.is);
  const names: string[] = [];
  for await (const items of answer.items) {
    for (const item of items) {
      const read = JSON.parse(item.toString());
      names.push((read.object ?? read).metadata.name);
    }
  }
  return { names, head: answer.head.metadata, end: answer.end().metadata };
}

const some = ['a/1', 'b/2', 'c/3', 'a/4', 'c/5', 'b/6', 'c/7'];
const within = (...namespaces: string[]) => withinNamespaces(member(some), new Set(namespaces));

describe('CACHE-7: what is registered is all there is', () => {
  it('lists have the objects of registered namespaces, in the member’s order and version', async () => {
    expect(await listed(within('a', 'b'), '')).toEqual({
      names: ['1', '2', '4', '6'],
      head: { resourceVersion: '7' },
      end: { resourceVersion: '7' },
    });
    expect((await listed(within('__proto__'), '')).names).toEqual([]);
  });

  it('so have Tables, whose rows bring their metadata for that', async () => {
    const asked: ListAsk[] = [];
    const source = withinNamespaces(member(some, asked), new Set(['b']));
    expect((await listed(source, 'includeObject=None', 'Table')).names).toEqual(['2', '6']);
    expect(asked[0]!.query.selection).toMatchObject({ includeObject: undefined, text: '' });
  });

  it('PAGE-1: a page is filled up, and leads on behind its last object', async () => {
    const { names, head, end } = await listed(within('a', 'b'), 'limit=3');
    expect({ names, head }).toEqual({ names: ['1', '2', '4'], head: { resourceVersion: '7' } });
    expect(end).toEqual({ resourceVersion: '7', continue: '4' });
    expect((await listed(within('b'), 'limit=2')).names).toEqual(['2', '6']);
  });

  it('a member that fails in between breaks the list', async () => {
    const source = member(some);
    const broken: Source = {
      ...source,
      list: async (ask) => (ask.query.at.is === 'after' ? { is: 'missing', reason: 'away' } : source.list(ask)),
    };
    await expect(listed(withinNamespaces(broken, new Set(['b'])), 'limit=1')).rejects.toThrow('missing');
  });

  it.each(['object', 'Table'] as const)(
    'watches have their events; positions move with all of them (%s)',
    async (form) => {
      const line = (namespace: string, name: string) => {
        const table = { kind: 'Table', metadata: { resourceVersion: '1' }, rows: [row(namespace, name)] };
        return Buffer.from(
          JSON.stringify({ type: 'ADDED', object: form === 'Table' ? table : object(namespace, name) }),
        );
      };
      const event = (position: string, namespace: string) => {
        const bytes = line(namespace, position);
        return { line: bytes, read: readEventLine(bytes), position };
      };
      async function* batches(): AsyncGenerator<SourceBatch> {
        yield { events: [event('8', 'a'), event('9', 'c')], position: '9', resumable: true };
        yield { events: [event('10', 'c')], position: '10', resumable: true };
      }
      const source: Source = { ...member([]), watch: async () => ({ is: 'open', batches: batches() }) };
      const ask = { from: '7', selection: readSelection('', new Set()), form, signal: new AbortController().signal };
      const answer = await withinNamespaces(source, new Set(['a'])).watch(ask);
      if (answer.is !== 'open') throw new Error(answer.is);
      const received = await Array.fromAsync(answer.batches, ({ events, position }) => [
        events.map((one) => one.position),
        position,
      ]);
      expect(received).toEqual([
        [['8'], '9'],
        [[], '10'],
      ]);
    },
  );
});
