import { ManualClock, settled } from '@fleet/client/testing/manual-clock.ts';
import { UnreachableError } from '@fleet/client/upstream.ts';
import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { ListGate } from './list-gate.ts';
import { Reflector, type ReflectorOptions } from './reflector.ts';
import type { ReflectorState } from './reflector-state.ts';
import { RecordingWriter } from './testing/recording-writer.ts';
import { columns, openBody, replyOf, ScriptedMember, silence, statusReply } from './testing/scripted-member.ts';

const clock = new ManualClock();
let stack = new AsyncDisposableStack();
afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

const many = (count: number) => Array.from({ length: count }, (_, i) => `pod-${String(i).padStart(5, '0')}`);

function reflect(member: ScriptedMember, options: Partial<ReflectorOptions> = {}) {
  const writer = new RecordingWriter();
  const states: ReflectorState[] = [];
  const errors: unknown[] = [];
  const reflector = new Reflector({
    member: 'm1',
    upstream: member,
    path: '/api/v1/pods',
    writer,
    gate: new ListGate({ clock }),
    clock,
    onState: (state) => states.push(state),
    onError: (error) => errors.push(error),
    ...options,
  });
  stack.use(reflector);
  const phases = () => states.map(({ is }) => is);
  return { reflector, writer, states, errors, phases };
}

async function synced(member: ScriptedMember, options: Partial<ReflectorOptions> = {}) {
  const all = reflect(member, options);
  await clock.until(() => member.watches === 1);
  return all;
}

describe('CACHE-5: filling', () => {
  test('lists in pages of 500 Tables with their objects, then watches from the version of the list', async () => {
    const member = new ScriptedMember(40, many(1_200));
    const { writer, states } = await synced(member);
    expect(writer.names).toEqual(many(1_200));
    expect(writer.commits).toEqual([{ position: '40', form: 'row', wentBack: false }]);
    expect(writer.seenColumns).toEqual([columns]);
    expect(member.calls).toEqual([
      'limit=1 Table',
      'limit=500 Table',
      'limit=500&continue=40+pod-00500 Table',
      'limit=500&continue=40+pod-01000 Table',
      'watch=true&resourceVersion=40 Table',
    ]);
    expect(states.at(-1)).toMatchObject({ is: 'synced', lastError: undefined });
  });

  test('LIMIT-3: a commit that would take long is prepared in slices, between which the event loop turns', async () => {
    const writer = new RecordingWriter();
    const slices: { position: string; turn: number; commits: number }[] = [];
    let turn = 0;
    writer.prepare = (position) => {
      slices.push({ position, turn, commits: writer.commits.length });
      setImmediate(() => turn++);
      return slices.length < 4;
    };
    await synced(new ScriptedMember(40, ['a']), { writer });
    expect(slices).toEqual([0, 1, 2, 3].map((prepared) => ({ position: '40', turn: prepared, commits: 0 })));
    expect(writer.commits).toHaveLength(1);
  });

  test.each(['502"}}}\n{"type":"ADDED"', '5\\', '5\u2028'])(
    'SEC-1: a list whose version is not the same in JSON as out of it is unreadable: %j',
    async (resourceVersion) => {
      const member = new ScriptedMember(40, ['a']);
      member.instead = ({ path }) => {
        if (!path.includes('limit=500')) return undefined;
        const object = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a', namespace: 'd', uid: 'u' } };
        const list = { kind: 'Table', columnDefinitions: columns, rows: [{ cells: ['a'], object }] };
        return replyOf(200, { ...list, apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion } });
      };
      const { writer, errors } = reflect(member);
      await clock.until(() => errors.length > 0);
      expect(errors[0]).toBeInstanceOf(JsonBytesError);
      expect(writer.commits).toEqual([]);
    },
  );

  test('SEC-1: a watch does not go on behind an event or a bookmark with such a version', async () => {
    const member = new ScriptedMember(40, ['a']);
    await synced(member);
    const object = { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: '41"' }, rows: [] };
    member.writeLine(JSON.stringify({ type: 'BOOKMARK', object }));
    await clock.until(() => member.count('watch=true') > 1);
    expect(member.lastWatch).toContain('resourceVersion=40');
  });

  test('requests the whole object in each row', async () => {
    const member = new ScriptedMember(40, ['a']);
    const paths: string[] = [];
    member.instead = ({ path }) => void paths.push(path);
    await synced(member);
    expect(paths).toHaveLength(3);
    for (const path of paths) expect(path).toContain('includeObject=Object');
  });

  test.each(['406', 'a plain list'])('objects if the member has no Tables: %s', async (how) => {
    const member = new ScriptedMember(40, ['a', 'b']);
    member.hasTables = false;
    if (how === '406') {
      member.instead = ({ headers }) =>
        headers['accept']?.includes('as=Table') ? statusReply(406, 'NotAcceptable') : undefined;
    }
    const { writer } = await synced(member);
    expect(writer.commits).toEqual([{ position: '40', form: 'object', wentBack: false }]);
    expect(member.calls.at(-1)).toBe('watch=true&resourceVersion=40 plain');
    member.put('c');
    await settled();
    expect(writer.names).toEqual(['a', 'b', 'c']);
  });

  test('events that arrive together are one batch, with rows, and with columns if these arrive', async () => {
    const member = new ScriptedMember(40, ['a']);
    const { writer } = await synced(member);
    member.put('b', 'a');
    member.delete('b');
    await settled();
    expect(writer.batches).toEqual([{ changes: ['ADDED b', 'MODIFIED a', 'DELETED b'], position: '43' }]);
    expect(writer.seenColumns).toHaveLength(2);
  });

  test('a bookmark moves the position, and nothing else', async () => {
    const member = new ScriptedMember(40, ['a']);
    const { writer } = await synced(member);
    member.bookmark();
    await settled();
    expect(writer.batches).toEqual([{ changes: [], position: '41' }]);
    member.breakStreams();
    await clock.until(() => member.watches === 1);
    expect(member.lastWatch).toBe('watch=true&resourceVersion=41 Table');
  });

  test('resumes from the last version after a connection error, without a list', async () => {
    const member = new ScriptedMember(40, ['a']);
    const { writer, phases } = await synced(member);
    member.put('b');
    await settled();
    member.breakStreams();
    member.put('c');
    member.delete('a');
    await clock.until(() => member.watches === 1);
    await settled();
    expect(writer.names).toEqual(['b', 'c']);
    expect(member.lastWatch).toBe('watch=true&resourceVersion=41 Table');
    expect(writer.commits).toHaveLength(1);
    expect(phases()).toEqual(['synced', 'unreachable', 'synced']);
  });

  test('attempts are spaced out, also to a member that ends each watch at once', async () => {
    const member = new ScriptedMember(40, ['a']);
    await synced(member);
    member.instead = () => replyOf(200, '');
    member.endStreams();
    await clock.advance(60_000);
    expect(member.count('watch=true')).toBeLessThan(20);
    expect(member.count('watch=true')).toBeGreaterThan(5);
  });

  test.each(['HTTP', 'an ERROR event'])(
    '410 as %s: lists anew, the old objects stay until that is whole',
    async (how) => {
      const member = new ScriptedMember(40, many(600));
      const { writer } = await synced(member);
      if (how === 'HTTP') {
        member.breakStreams();
        member.delete('pod-00000');
        member.put('z');
        member.compact();
      } else {
        member.writeLine('{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"gone"}}');
        member.endStreams();
        member.delete('pod-00000');
        member.put('z');
      }
      const page = openBody();
      member.instead = (_, query) => (query.has('continue') ? { status: 200, headers: {}, body: page } : undefined);
      await clock.until(() => member.count('continue=') === 2);
      expect(writer.open).toBe(1);
      expect(writer.names).toEqual(many(600));
      page.push(
        Buffer.from('{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"42"},"rows":['),
      );
      page.push(Buffer.from('{"cells":["z"],"object":{"metadata":{"name":"z","resourceVersion":"42"}}}]}'));
      page.end();
      await clock.until(() => member.watches === 1);
      expect(writer.commits.at(-1)).toEqual({ position: '42', form: 'row', wentBack: false });
      expect(writer.names).toEqual([...many(501).slice(1), 'z']);
      expect(writer.open).toBe(0);
    },
  );

  test('pages that expire are listed again; after two expiries the whole list is requested', async () => {
    const member = new ScriptedMember(40, many(600));
    member.instead = (_, query) => (query.has('continue') ? statusReply(410, 'Expired') : undefined);
    const { writer } = await synced(member);
    expect(member.calls.slice(1)).toEqual([
      'limit=500 Table',
      'limit=500&continue=40+pod-00500 Table',
      'limit=500 Table',
      'limit=500&continue=40+pod-00500 Table',
      ' Table',
      'watch=true&resourceVersion=40 Table',
    ]);
    expect(writer.names).toEqual(many(600));
    expect(writer.open).toBe(0);
  });

  test('429 is honoured: a page is requested again after Retry-After, not before', async () => {
    const member = new ScriptedMember(40, many(600));
    let busy = 1;
    member.instead = (_, query) =>
      query.has('continue') && busy-- > 0 ? statusReply(429, 'TooManyRequests', { 'retry-after': '7' }) : undefined;
    const { writer } = reflect(member);
    await clock.until(() => member.count('continue=') === 1);
    await clock.advance(6_500);
    expect(member.count('continue=')).toBe(1);
    await clock.advance(1_000);
    expect(member.count('continue=')).toBe(2);
    expect(member.count('limit=500')).toBe(3);
    expect(writer.names).toHaveLength(600);
  });

  test('429 to a watch: it resumes after Retry-After, and is not up to date meanwhile', async () => {
    const member = new ScriptedMember(40, ['a']);
    const { reflector, states } = await synced(member);
    member.instead = () => statusReply(429, 'TooManyRequests', { 'retry-after': '20' });
    member.endStreams();
    await clock.until(() => member.count('watch=true') === 2);
    member.instead = undefined;
    await clock.advance(19_000);
    expect(member.count('watch=true')).toBe(2);
    expect(states.at(-1)).toMatchObject({ is: 'unreachable', lastError: 'answered 429' });
    expect(reflector.isFresh()).toBe(false);
    await clock.until(() => member.watches === 1);
  });
});

describe('CACHE-13: columns that change', () => {
  const others = [...columns, { ...columns[0]!, name: 'Size' }];

  test('with an event: it is taken, then all is listed anew', async () => {
    const member = new ScriptedMember(40, ['a']);
    const { writer, errors } = await synced(member);
    member.columns = others;
    member.instead = (call, query) => (query.get('limit') === '1' ? silence(call) : undefined);
    member.breakStreams();
    await clock.until(() => member.watches === 1);
    member.put('b');
    await settled();
    member.instead = undefined;
    await clock.until(() => writer.commits.length === 2);
    await clock.until(() => member.watches === 1);
    expect(writer.batches).toEqual([{ changes: ['ADDED b'], position: '41' }]);
    expect(writer.commits.at(-1)).toEqual({ position: '41', form: 'row', wentBack: false });
    expect(writer.seenColumns.at(-1)).toEqual(others);
    expect(errors.filter((error) => String(error).includes('columns'))).toEqual([]);
  });

  test('without any event: the member ends the stream, and is asked for its columns', async () => {
    const member = new ScriptedMember(40, ['a']);
    const { writer } = await synced(member);
    member.columns = others;
    member.endStreams();
    await clock.until(() => writer.commits.length === 2);
    await clock.until(() => member.watches === 1);
    expect(writer.seenColumns.at(-1)).toEqual(others);
    member.endStreams();
    await clock.until(() => member.watches === 1);
    await settled();
    expect(writer.commits).toHaveLength(2);
  });

  test('other columns are listed also where the stream ends in the moment in which they are known', async () => {
    const member = new ScriptedMember(40, ['a']);
    const writer = new RecordingWriter();
    await synced(member, { writer });
    const { columns: learn } = RecordingWriter.prototype;
    writer.columns = (now) => {
      const isOther = learn.call(writer, now);
      if (isOther) member.endStreams();
      return isOther;
    };
    member.columns = others;
    member.endStreams();
    await clock.until(() => writer.commits.length === 2);
    expect(writer.seenColumns.at(-1)).toEqual(others);
  });

  test('CACHE-17: the same columns with other cells: its rows are listed anew', async () => {
    const member = new ScriptedMember(40, ['a']);
    const writer = Object.assign(new RecordingWriter(), { hasOtherCells: (): boolean => false });
    await synced(member, { writer });
    member.endStreams();
    await clock.until(() => member.watches === 1);
    await clock.advance(1_000);
    expect(writer.commits).toHaveLength(1);
    writer.hasOtherCells = () => true;
    member.endStreams();
    await clock.until(() => writer.commits.length === 2);
  });

  test('without any event: the connection broke, and the member is asked for its columns', async () => {
    const member = new ScriptedMember(40, ['a']);
    const { writer } = await synced(member);
    member.columns = others;
    member.breakStreams();
    await clock.until(() => writer.commits.length === 2, 5_000);
    expect(writer.seenColumns.at(-1)).toEqual(others);
  });

  test.each([
    ['429', () => statusReply(429, 'TooManyRequests', { 'retry-after': '1' })],
    ['500', () => statusReply(500, 'InternalError')],
    ['nothing after its headers', () => ({ status: 200, headers: {}, body: openBody() })],
  ])('a member that answers the request for its columns with %s is asked again', async (_, answer) => {
    const member = new ScriptedMember(40, ['a']);
    const { writer } = await synced(member);
    member.columns = others;
    let left = 2;
    member.instead = (_call, query) => (query.get('limit') === '1' && left-- > 0 ? answer() : undefined);
    member.endStreams();
    await clock.until(() => writer.commits.length === 2, 15_000);
    await clock.until(() => member.watches === 1);
    // The first, the one that the check ended, and the one after the list.
    expect(member.count('watch=true')).toBe(3);
    expect(writer.seenColumns.at(-1)).toEqual(others);
  });

  test('if a stream ends before the columns were read, the next one checks them, once', async () => {
    const member = new ScriptedMember(40, ['a']);
    const { writer } = await synced(member);
    member.instead = (call, query) => (query.get('limit') === '1' ? silence(call) : undefined);
    member.breakStreams();
    await clock.until(() => member.watches === 1);
    member.breakStreams();
    await clock.until(() => member.watches === 1);
    member.instead = undefined;
    member.columns = others;
    await clock.until(() => writer.commits.length === 2, 10_000);
    const asked = member.count('limit=1 ');
    await clock.advance(60_000);
    expect(member.count('limit=1 ')).toBe(asked);
  });

  test('within one batch: rows before the columns have the old ones', async () => {
    const member = new ScriptedMember(40, ['a']);
    const { writer } = await synced(member);
    const order: string[] = [];
    const { apply, columns: learn } = RecordingWriter.prototype;
    writer.apply = (changes, position) => {
      order.push(`apply ${position}`);
      apply.call(writer, changes, position);
    };
    writer.columns = (now) => {
      order.push(`columns ${now.length}`);
      return learn.call(writer, now);
    };
    const line = (version: number, columnDefinitions: unknown) => {
      const object = { metadata: { name: 'a', namespace: 'web', uid: 'u1', resourceVersion: String(version) } };
      const metadata = { resourceVersion: String(version) };
      const table = { kind: 'Table', metadata, columnDefinitions, rows: [{ cells: ['a'], object }] };
      return JSON.stringify({ type: 'MODIFIED', object: table });
    };
    member.writeLine([line(41, columns), line(42, null), line(43, others), line(44, null)].join('\n'));
    await settled();
    expect(order.slice(0, 4)).toEqual(['columns 1', 'apply 42', 'columns 2', 'apply 44']);
  });

  test('a member whose columns change with each stream is listed less and less often', async () => {
    const member = new ScriptedMember(40, ['a']);
    await synced(member);
    member.instead = (_, query) => {
      member.columns = query.has('watch') ? others : columns;
      if (query.has('watch')) queueMicrotask(() => member.put('a'));
      return undefined;
    };
    member.breakStreams();
    await clock.advance(60_000);
    expect(member.count('limit=500')).toBeLessThan(20);
  });
});

describe('CACHE-5: a member that was restored', () => {
  const restored = async () => {
    const member = new ScriptedMember(5_000, ['a', 'b', 'late']);
    const all = await synced(member);
    member.restore(1_000, ['a', 'b', 'older']);
    await clock.until(() => member.watches === 1);
    return { member, ...all };
  };

  test('its watch is silent: too large for 60 s after 70 s of silence means a list that ends all earlier versions', async () => {
    const { member, writer } = await restored();
    await clock.advance(60_000);
    expect(member.count('NotOlderThan')).toBe(0);
    await clock.advance(65_000);
    expect(member.count('resourceVersion=5000&resourceVersionMatch=NotOlderThan')).toBeGreaterThan(3);
    expect(writer.commits).toHaveLength(1);
    await clock.advance(15_000);
    expect(writer.commits.at(-1)).toEqual({ position: '1000', form: 'row', wentBack: true });
    expect(writer.names).toEqual(['a', 'b', 'older']);
    expect(member.calls.at(-1)).toBe('watch=true&resourceVersion=1000 Table');
  });

  test('a suspected member is asked at once, and counts as restored only after a minute', async () => {
    const { member, writer, reflector } = await restored();
    reflector.checkForRestore();
    await settled();
    expect(member.count('resourceVersion=5000&resourceVersionMatch=NotOlderThan')).toBe(1);
    await clock.advance(59_000);
    expect(writer.commits).toHaveLength(1);
    await clock.advance(6_000);
    expect(writer.commits.at(-1)).toEqual({ position: '1000', form: 'row', wentBack: true });
  });

  test('a suspected member that knows the version, or sends events, is not listed again', async () => {
    const member = new ScriptedMember(5_000, ['a']);
    const { writer, reflector } = await synced(member);
    reflector.checkForRestore();
    await clock.advance(60_000);
    expect(member.count('NotOlderThan')).toBe(1);
    member.restore(1_000, ['a']);
    await clock.until(() => member.watches === 1);
    reflector.checkForRestore();
    await clock.until(() => member.count('NotOlderThan') === 3);
    member.version = 5_000;
    member.put('b');
    await clock.advance(65_000);
    expect(member.count('NotOlderThan')).toBe(3);
    expect(writer.commits).toHaveLength(1);
  });

  test('it is detected even if its list fails first and it has passed the position by then', async () => {
    const { member, writer } = await restored();
    member.instead = (_, query) => (query.get('limit') === '500' ? statusReply(500, 'InternalError') : undefined);
    await clock.until(() => member.count('limit=500') > 1);
    member.version = 6_000;
    member.instead = undefined;
    await clock.until(() => writer.commits.length > 1);
    expect(writer.commits.at(-1)).toMatchObject({ position: '6000', wentBack: true });
  });

  test('a silent member that knows the version is not listed again', async () => {
    const member = new ScriptedMember(5_000, ['a']);
    const { writer } = await synced(member);
    await clock.advance(139_000);
    expect(member.count('NotOlderThan')).toBe(1);
    expect(writer.commits).toHaveLength(1);
  });

  test('a silent member without bookmarks, such as of events, is no failure, and fresh while probes pass', async () => {
    const member = new ScriptedMember(5_000, ['a']);
    const { reflector, phases, errors } = await synced(member);
    const before = phases();
    await clock.advance(75_000);
    for (let seconds = 75; seconds < 600; seconds += 15) {
      await clock.advance(15_000);
      if (member.watches === 1) expect(reflector.isFresh(), `after ${seconds} s`).toBe(true);
    }
    expect(member.count('watch=true')).toBeGreaterThan(3);
    expect(phases()).toEqual(before);
    expect(errors).toEqual([]);
    member.put('b');
    await clock.until(() => reflector.state.lastEvent === clock.now());
  });

  test('CACHE-7: one that sent bookmarks and is silent now is not fresh, whatever it answers', async () => {
    const member = new ScriptedMember(5_000, ['a']);
    const { reflector } = await synced(member);
    member.bookmark();
    await clock.advance(65_000);
    expect(reflector.isFresh()).toBe(true);
    await clock.advance(10_000);
    expect(member.count('NotOlderThan')).toBe(1);
    expect(reflector.isFresh()).toBe(false);
  });

  test('a member that was behind for less than 60 s was not restored', async () => {
    const { member, writer } = await restored();
    await clock.until(() => member.count('NotOlderThan') === 3);
    member.version = 5_001;
    await clock.advance(60_000);
    member.version = 4_000;
    await clock.advance(50_000);
    expect(writer.commits).toHaveLength(1);
  });

  test('an unanswered request proves nothing', async () => {
    const { member, writer } = await restored();
    member.instead = (_, query) => (query.has('resourceVersionMatch') ? statusReply(500, 'InternalError') : undefined);
    await clock.advance(145_000);
    expect(writer.commits).toHaveLength(1);
  });

  test('bookmarks prove that the member is alive: it is not asked', async () => {
    const member = new ScriptedMember(5_000, ['a']);
    await synced(member);
    for (let minute = 0; minute < 5; minute++) {
      await clock.advance(60_000);
      member.bookmark();
    }
    expect(member.count('NotOlderThan')).toBe(0);
    expect(member.count('watch=true')).toBe(1);
  });

  test('a 410 from a restored member ends all earlier versions, too', async () => {
    const member = new ScriptedMember(5_000, ['a']);
    const { writer } = await synced(member);
    member.restore(900, ['b']);
    member.instead = (_, query) => (query.get('resourceVersion') === '5000' ? statusReply(410, 'Expired') : undefined);
    await clock.until(() => writer.commits.length === 2);
    expect(writer.commits.at(-1)).toEqual({ position: '900', form: 'row', wentBack: true });
  });
});

describe('CACHE-5: errors', () => {
  test.each([
    ['no JSON', 'garbage'],
    ['half a list', '{"kind":"Table","metadata":{"resourceVersion":"4"},"rows":[{"cells":[]'],
    ['no list', '{"kind":"Status"}'],
    ['a list without a version', '{"kind":"Table","metadata":{},"rows":[]}'],
    [
      'an empty page that is not the last',
      '{"kind":"Table","metadata":{"resourceVersion":"4","continue":"x"},"rows":[]}',
    ],
    ['an item that is not an object', '{"kind":"Table","metadata":{"resourceVersion":"4"},"rows":[1]}'],
  ])('garbage in a list is reported and retried, with backoff: %s', async (_, text) => {
    const member = new ScriptedMember(40, ['a']);
    member.instead = (_call, query) => (query.get('limit') === '500' ? replyOf(200, text) : undefined);
    const { writer, states, errors } = reflect(member);
    await clock.advance(60_000);
    expect(states.at(-1)!.lastError).toContain('responses cannot be parsed');
    expect(errors.length).toBeGreaterThan(3);
    expect(member.count('limit=500')).toBeLessThan(20);
    expect([writer.commits, writer.open]).toEqual([[], 0]);
    member.instead = undefined;
    await clock.until(() => member.watches === 1);
    expect(writer.names).toEqual(['a']);
  });

  test.each([
    ['no JSON', 'garbage'],
    ['no object', '{"type":"ADDED","object":1}'],
    ['an unknown type', '{"type":"NOVEL","object":{"kind":"Table","rows":[]}}'],
    ['no row', '{"type":"ADDED","object":{"kind":"Table","metadata":{"resourceVersion":"99"},"rows":[]}}'],
    ['an object', '{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"x","resourceVersion":"99"}}}'],
    ['an invalid ERROR', '{"type":"ERROR","object":{"a":tru}}'],
  ])('garbage in a watch: earlier events count, and the watch resumes after them: %s', async (_, line) => {
    const member = new ScriptedMember(40, ['a']);
    const { writer, states } = await synced(member);
    member.put('b');
    member.writeLine(line);
    await clock.until(() => member.count('watch=true') === 2);
    expect(writer.names).toEqual(['a', 'b']);
    expect(member.lastWatch).toBe('watch=true&resourceVersion=41 Table');
    expect(states.map(({ is }) => is)).toEqual(['synced', 'failing', 'synced']);
  });

  test.each([
    [403, 'refused'],
    [404, 'absent'],
    [405, 'absent'],
  ])('%i is reported as %s, and retried rarely, or when woken', async (code, phase) => {
    const member = new ScriptedMember(40, ['a']);
    member.instead = () => statusReply(code, 'Some');
    const { reflector, writer, states } = reflect(member);
    await clock.advance(120_000);
    expect(states.at(-1)).toMatchObject({ is: phase, lastError: 'Some of a test' });
    expect(member.calls.length).toBeLessThan(6);
    member.instead = undefined;
    reflector.wake();
    await settled();
    expect(writer.names).toEqual(['a']);
  });

  test('a resource that is served again is listed again; a restored permission resumes', async () => {
    const member = new ScriptedMember(40, ['a']);
    const { writer } = await synced(member);
    for (const [code, commits] of [
      [403, 1],
      [404, 2],
    ] as const) {
      member.instead = () => statusReply(code, 'Some');
      member.endStreams();
      await clock.advance(5_000);
      member.instead = undefined;
      await clock.until(() => member.watches === 1);
      expect(writer.commits).toHaveLength(commits);
    }
  });

  test.each([
    [403, 'refused'],
    [404, 'absent'],
  ])('WATCH-6: %i of a starting member is not trusted: the cache is kept for 10 s', async (code, phase) => {
    const member = new ScriptedMember(40, ['a']);
    const { writer, states, phases } = await synced(member);
    const restart = async () => {
      member.instead = () => Promise.reject(new UnreachableError(false, {}));
      member.endStreams();
      await clock.until(() => states.at(-1)?.is === 'unreachable');
      member.instead = () => statusReply(code, 'Some');
      await clock.until(() => states.at(-1)?.lastError === 'Some of a test');
    };
    await restart();
    member.instead = undefined;
    await clock.until(() => member.watches === 1);
    expect(phases()).not.toContain(phase);
    expect(writer.names).toEqual(['a']);
    await restart();
    expect(phases()).not.toContain(phase);
    await clock.advance(60_000);
    expect(states.at(-1)).toMatchObject({ is: phase });
  });

  test('CACHE-18: a feed that does not fit stops, and continues when there is memory', async () => {
    const member = new ScriptedMember(40, many(30));
    const writer = new RecordingWriter();
    writer.most = 10;
    const { reflector, states } = reflect(member, { writer });
    await clock.advance(3_600_000);
    expect(states.at(-1)).toMatchObject({ is: 'full' });
    expect(member.calls).toHaveLength(2);
    expect(writer.open).toBe(0);
    writer.most = 30;
    reflector.wake();
    await clock.until(() => member.watches === 1);
    expect(writer.names).toHaveLength(30);
    member.put('one-more');
    await clock.until(() => states.at(-1)!.is === 'full');
    expect([writer.position, member.watches]).toEqual(['40', 0]);
    writer.most = 31;
    reflector.wake();
    await clock.until(() => member.watches === 1);
    await settled();
    expect(writer.names).toContain('one-more');
    expect(writer.commits).toHaveLength(1);
  });

  test('an unreachable member is reported since its first failure, and the objects stay', async () => {
    const member = new ScriptedMember(40, ['a']);
    const { writer, states } = await synced(member);
    const cause = new Error('ECONNREFUSED');
    member.instead = () => Promise.reject(new UnreachableError(false, { cause }));
    const before = clock.now();
    member.breakStreams();
    await clock.advance(300_000);
    const state = states.at(-1)!;
    expect(state).toMatchObject({ is: 'unreachable', lastError: 'cannot connect: ECONNREFUSED' });
    expect(state.since - before).toBeLessThan(1_000);
    expect(writer.names).toEqual(['a']);
    member.instead = undefined;
    await clock.until(() => member.watches === 1);
    expect(states.at(-1)).toMatchObject({ is: 'synced' });
    expect(writer.commits).toHaveLength(1);
  });

  test.each(['limit=1', 'limit=500', 'watch=true'])('a member that does not answer times out: %s', async (at) => {
    const member = new ScriptedMember(40, ['a']);
    member.instead = (call, query) => (`${query}&`.startsWith(`${at}&`) ? silence(call) : undefined);
    const { states } = reflect(member);
    await clock.until(() => states.at(-1)?.is === 'unreachable', 65_000);
    expect(states.at(-1)!.lastError).toContain('no response within');
  });

  test('a page that stops times out after a minute, a slow one does not', async () => {
    const member = new ScriptedMember(40, ['a']);
    let page = openBody();
    member.instead = (_, query) => {
      if (query.get('limit') !== '500') return undefined;
      page = openBody();
      return { status: 200, headers: {}, body: page };
    };
    const { reflector, writer, states } = reflect(member);
    const pieces = [
      '{"kind":"Table","metadata":{"resourceVersion":"4"},',
      '"rows":[',
      '{"object":{"metadata":{"name":"x"}}}',
      ']}',
    ];
    await settled();
    for (const piece of pieces.slice(0, 3)) {
      page.push(Buffer.from(piece));
      await clock.advance(55_000);
    }
    expect(reflector.state).toMatchObject({ is: 'filling' });
    await clock.advance(10_000);
    expect(states.find(({ is }) => is === 'unreachable')!.lastError).toBe('no data for 60000 ms');
    await clock.until(() => member.count('limit=500') === 2);
    for (const piece of pieces) {
      page.push(Buffer.from(piece));
      await clock.advance(55_000);
    }
    page.end();
    await clock.until(() => writer.commits.length === 1);
    expect(writer.names).toEqual(['x']);
  });

  test('a watch without a bookmark for 150 s is opened anew', async () => {
    const member = new ScriptedMember(40, ['a']);
    await synced(member);
    await clock.advance(149_000);
    expect(member.count('watch=true')).toBe(1);
    await clock.advance(3_000);
    expect(member.count('watch=true')).toBe(2);
  });

  test('a stream that brings something ends the long pauses', async () => {
    const member = new ScriptedMember(40, ['a']);
    await synced(member);
    member.instead = () => statusReply(500, 'InternalError');
    member.breakStreams();
    await clock.advance(120_000);
    member.instead = undefined;
    await clock.until(() => member.watches === 1);
    member.bookmark();
    await settled();
    member.breakStreams();
    await clock.advance(400);
    expect(member.watches).toBe(1);
  });

  test('can be ended in the middle of a page', async () => {
    const member = new ScriptedMember(40, ['a']);
    const page = openBody();
    member.instead = (_, query) =>
      query.get('limit') === '500' ? { status: 200, headers: {}, body: page } : undefined;
    const { reflector, writer } = reflect(member);
    page.push(Buffer.from('{"kind":"Table","metadata":{"resourceVersion":"4"},"rows":[{"object":'));
    await clock.until(() => writer.open === 1);
    let hasEnded = false;
    const ended = reflector[Symbol.asyncDispose]().then(() => {
      hasEnded = true;
    });
    await settled();
    expect([hasEnded, writer.open]).toEqual([true, 0]);
    await ended;
  });

  test('ends without leftovers', async () => {
    const member = new ScriptedMember(40, ['a']);
    const own = new ManualClock();
    const { reflector, writer } = reflect(member, { clock: own, gate: new ListGate({ clock: own }) });
    await own.until(() => member.watches === 1);
    await reflector[Symbol.asyncDispose]();
    await settled();
    expect([member.watches, own.pending, writer.open]).toEqual([0, 0, 0]);
  });
});

describe('CACHE-7: freshness', () => {
  test('with an event or bookmark within 70 s', async () => {
    const member = new ScriptedMember(40, ['a']);
    const { reflector } = await synced(member);
    member.bookmark();
    await settled();
    expect(reflector.isFresh()).toBe(true);
    await clock.advance(69_000);
    expect(reflector.isFresh()).toBe(true);
    await clock.advance(2_000);
    expect(reflector.isFresh()).toBe(false);
    member.put('b');
    await settled();
    expect(reflector.isFresh()).toBe(true);
  });

  test('not before the first list, nor while there is no stream, nor until a resumed one has brought what was missed', async () => {
    const member = new ScriptedMember(40, ['a']);
    const { reflector } = reflect(member);
    expect(reflector.isFresh()).toBe(false);
    await clock.until(() => member.watches === 1);
    expect(reflector.isFresh()).toBe(false);
    await clock.advance(1_000);
    expect(reflector.isFresh()).toBe(true);
    member.breakStreams();
    await settled();
    expect(reflector.isFresh()).toBe(false);
    await clock.until(() => member.watches === 1);
    await settled();
    expect(reflector.isFresh()).toBe(false);
    member.put('b');
    await settled();
    expect(reflector.isFresh()).toBe(true);
  });

  test('received bytes may not wait for longer than 1 s', async () => {
    const member = new ScriptedMember(40, ['a']);
    const { reflector, writer } = await synced(member);
    await clock.advance(1_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    const isFresh: boolean[] = [];
    // Stands still within the first batch, as where the process is at its limits.
    const apply = writer.apply.bind(writer);
    writer.apply = (...batch) => {
      clock.skip(1_500);
      isFresh.push(reflector.isFresh());
      apply(...batch);
      resolve();
    };
    member.put('b');
    await promise;
    expect(isFresh).toEqual([false]);
    await settled();
    expect(reflector.isFresh()).toBe(true);
  });
});
