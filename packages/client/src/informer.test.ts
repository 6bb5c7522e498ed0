import { afterEach, describe, expect, it, vi } from 'vitest';
import { Informer } from './informer.ts';
import { KubeClient, type KubeObject } from './kube-client.ts';
import { byController, byNamespace, orphansByNamespace } from './object-index.ts';
import { bodyOf, ReplyBody } from './reply-body.ts';
import type { BytesReply, Upstream, UpstreamCall } from './upstream.ts';

const object = (name: string, resourceVersion: string): KubeObject => ({
  metadata: { name, namespace: 'd', resourceVersion },
});
const event = (type: string, what: unknown) => `${JSON.stringify({ type, object: what })}\n`;
const json = (value: unknown, status = 200): BytesReply => ({
  status,
  headers: {},
  body: bodyOf(Buffer.from(JSON.stringify(value))),
});
const list = (version: string, ...items: KubeObject[]) => json({ metadata: { resourceVersion: version }, items });

/** Answers lists and watches one after the other; the last watch stays open. */
function scripted(lists: (() => BytesReply)[], watches: ((body: ReplyBody) => void)[]) {
  const asked: string[] = [];
  const upstream = {
    async call({ path, signal }: UpstreamCall) {
      const query = new URLSearchParams(path.split('?')[1]);
      const watching = query.get('watch') === 'true';
      asked.push(watching ? `watch ${query.get('resourceVersion')}` : 'list');
      if (!watching) return (lists.length > 1 ? lists.shift()! : lists[0]!)();
      const body = new ReplyBody({ pause() {}, resume() {}, abort() {} });
      signal.addEventListener('abort', () => body.fail(signal.reason));
      watches.shift()?.(body);
      return { status: 200, headers: {}, body };
    },
  } as unknown as Upstream;
  return { asked, client: new KubeClient(upstream) };
}

let informer: Informer<KubeObject>;
const changes: string[] = [];
const errors: unknown[] = [];

function start(client: KubeClient, before: (key: string) => void = () => {}): void {
  changes.length = 0;
  errors.length = 0;
  informer = new Informer({
    client,
    path: '/api/v1/pods',
    onChange: (key, now) => {
      before(key);
      changes.push(`${key} ${now?.metadata.resourceVersion ?? 'gone'}`);
    },
    onError: (error) => errors.push(error),
  });
}

afterEach(async () => {
  await informer[Symbol.asyncDispose]();
});

const send =
  (...lines: string[]) =>
  (body: ReplyBody) =>
    body.push(Buffer.from(lines.join('')));
const ending =
  (...lines: string[]) =>
  (body: ReplyBody) => {
    send(...lines)(body);
    body.end();
  };

describe('Informer', () => {
  it('lists, then follows', async () => {
    const { asked, client } = scripted(
      [() => list('5', object('a', '1'))],
      [send(event('ADDED', object('b', '6')), event('MODIFIED', object('a', '7')), event('DELETED', object('b', '8')))],
    );
    start(client);
    await informer.synced;
    await vi.waitFor(() => expect(changes).toEqual(['d/a 1', 'd/b 6', 'd/a 7', 'd/b gone']));
    expect(asked).toEqual(['list', 'watch 5']);
    expect(informer.get('d/a')?.metadata.resourceVersion).toBe('7');
    expect([...informer.values()]).toHaveLength(1);
  });

  it('resumes from the end of a watch, bookmarks included, without listing again', async () => {
    const { asked, client } = scripted(
      [() => list('5')],
      [ending(event('ADDED', object('a', '6')), event('BOOKMARK', object('', '9')))],
    );
    start(client);
    await vi.waitFor(() => expect(asked).toEqual(['list', 'watch 5', 'watch 9']));
    expect(changes).toEqual(['d/a 6']);
    expect(errors).toEqual([]);
  });

  it('resumes after the last whole event when a watch is cut', async () => {
    const { asked, client } = scripted(
      [() => list('5')],
      [
        (body) => {
          body.push(Buffer.from(`${event('ADDED', object('a', '6'))}{"type":"ADD`));
          body.fail(new Error('reset'));
        },
      ],
    );
    start(client);
    await vi.waitFor(() => expect(asked).toEqual(['list', 'watch 5', 'watch 6']));
    expect(errors).toHaveLength(1);
  });

  it('lists again when history is gone, and sees what was deleted meanwhile', async () => {
    const gone = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' };
    const { asked, client } = scripted(
      [() => list('5', object('a', '1'), object('b', '2')), () => list('20', object('a', '1'), object('c', '19'))],
      [send(event('ERROR', gone))],
    );
    start(client);
    await vi.waitFor(() => expect(asked).toEqual(['list', 'watch 5', 'list', 'watch 20']));
    expect(changes).toEqual(['d/a 1', 'd/b 2', 'd/c 19', 'd/b gone']);
  });

  it('keeps trying while the server is unreachable, and syncs when it is back', async () => {
    const { client } = scripted([() => json({}, 503), () => list('5', object('a', '1'))], []);
    start(client);
    await informer.synced;
    expect(errors).toMatchObject([{ code: 503 }]);
    expect(changes).toEqual(['d/a 1']);
  });

  it('SEC-2: continues when a handler throws for one object', async () => {
    const { asked, client } = scripted(
      [() => list('5', object('bad', '1'), object('a', '2'))],
      [
        send(
          event('MODIFIED', object('bad', '6')),
          event('DELETED', object('bad', '7')),
          event('ADDED', object('b', '8')),
        ),
      ],
    );
    start(client, (key) => {
      if (key === 'd/bad') throw new Error('bad');
    });
    await informer.synced;
    await vi.waitFor(() => expect(changes).toEqual(['d/a 2', 'd/b 8']));
    expect(asked).toEqual(['list', 'watch 5']);
    expect(errors).toMatchObject([{ message: 'bad' }, { message: 'bad' }, { message: 'bad' }]);
  });

  it('does not retry in a tight loop when watches end at once', async () => {
    const watches = Array.from({ length: 1000 }, () => ending());
    const { asked, client } = scripted([() => list('5')], watches);
    start(client);
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(2));
    expect(asked.length).toBeLessThan(20);
  });

  it('gives every handler the previous object, and a late one all known objects', async () => {
    const { client } = scripted(
      [() => list('5', object('a', '1'))],
      [send(event('MODIFIED', object('a', '7')), event('DELETED', object('a', '8')))],
    );
    start(client);
    const seen: string[] = [];
    const version = (one: KubeObject | undefined) => one?.metadata.resourceVersion ?? 'none';
    informer.subscribe((key, now, old) => seen.push(`${key} ${version(old)} ${version(now)}`));
    await vi.waitFor(() => expect(seen).toEqual(['d/a none 1', 'd/a 1 7', 'd/a 7 none']));
    const late: string[] = [];
    informer.subscribe((key) => late.push(key))[Symbol.dispose]();
    expect(late).toEqual([]);
  });

  it('keeps indexes up to date, also those added later', async () => {
    const owned = (name: string, version: string, uid: string): KubeObject => ({
      metadata: {
        name,
        namespace: 'd',
        resourceVersion: version,
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid, controller: true }],
      },
    });
    const { client } = scripted(
      [() => list('5', owned('a', '1', 'one'), object('b', '2'))],
      [send(event('MODIFIED', owned('a', '7', 'two')), event('ADDED', owned('c', '8', 'two')))],
    );
    start(client);
    const owners = informer.index('controller', byController);
    await vi.waitFor(() => expect([...owners.get('two')]).toHaveLength(2));
    expect([...owners.get('one')]).toEqual([]);
    expect([...informer.index('orphans', orphansByNamespace).get('d')].map(({ metadata }) => metadata.name)).toEqual([
      'b',
    ]);
    expect([...informer.index('namespace', byNamespace).get('d')]).toHaveLength(3);
    expect(informer.index('controller', () => [])).toBe(owners);
  });

  it('waits until a write is seen, or until the signal aborts', async () => {
    let later: ReplyBody | undefined;
    const { client } = scripted(
      [() => list('5')],
      [
        (body) => {
          later = body;
        },
      ],
    );
    start(client);
    await informer.until(() => informer.version >= 5, AbortSignal.timeout(5_000));
    const seen = informer.until(() => informer.version >= 7, AbortSignal.timeout(5_000));
    await vi.waitFor(() => expect(later).toBeDefined());
    send(event('ADDED', object('a', '7')))(later!);
    await seen;
    expect(informer.get('d/a')).toBeDefined();
    await informer.until(() => false, AbortSignal.abort());
  });
});
