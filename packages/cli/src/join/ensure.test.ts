import { KubeClient } from '@fleet/client/kube-client.ts';
import { bodyOf } from '@fleet/client/reply-body.ts';
import type { Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { UnreachableError } from '@fleet/client/upstream.ts';
import { describe, expect, test } from 'vitest';
import { managed } from '../labels.ts';
import { covers, ensure } from './ensure.ts';
import { Journal } from './journal.ts';
import { type Manifest, namespace } from './manifest.ts';

const wanted = namespace('fleet-system');

/** Holds at most one object, enough for the decisions of `ensure`. */
function store(first?: Manifest, loseAnswerTo?: string) {
  let object = first;
  const methods: string[] = [];
  const upstream = {
    async call({ method, body }: UpstreamCall) {
      methods.push(method);
      if (method === 'POST' || method === 'PATCH') {
        object = { ...object, ...JSON.parse(String(body)) } as Manifest;
        object.metadata.uid ??= 'uid-1';
      }
      const answer = object;
      if (method === 'DELETE') object = undefined;
      if (method === loseAnswerTo) throw new UnreachableError(true, {});
      const reply = answer ?? { kind: 'Status', code: 404, message: 'not found' };
      return { status: answer ? 200 : 404, headers: {}, body: bodyOf(Buffer.from(JSON.stringify(reply))) };
    },
  } as unknown as Upstream;
  const journal = new Journal();
  const { signal } = new AbortController();
  return { options: { client: new KubeClient(upstream), journal, signal }, methods, journal, left: () => object };
}

describe('CLU-2', () => {
  test('what is missing is made, and can be undone', async () => {
    const { options, journal, methods, left } = store();
    expect((await ensure(wanted, options)).outcome).toBe('made');
    expect(methods).toEqual(['GET', 'POST']);
    await journal.undo(options.signal);
    expect(left()).toBeUndefined();
  });

  test('what is there is kept, and not undone', async () => {
    const { options, journal, methods } = store({ ...wanted.object, status: { phase: 'Active' } });
    expect((await ensure(wanted, options)).outcome).toBe('kept');
    expect(methods).toEqual(['GET']);
    expect(journal.empty).toBe(true);
  });

  test('what differs is repaired, and not undone', async () => {
    const { options, journal } = store({ ...wanted.object, spec: { finalizers: [] } });
    const changed = { ...wanted, object: { ...wanted.object, spec: { finalizers: ['x'] } } };
    expect((await ensure(changed, options)).outcome).toBe('repaired');
    expect(journal.empty).toBe(true);
  });

  test("what is somebody else's is refused", async () => {
    const { options, methods } = store({ metadata: { name: 'fleet-system' } });
    await expect(ensure(wanted, options)).rejects.toThrow('was not made by fleet');
    expect(methods).toEqual(['GET']);
  });

  test('what may have been made, the answer being lost, is undone', async () => {
    const { options, journal, left } = store(undefined, 'POST');
    await expect(ensure(wanted, options)).rejects.toThrow(UnreachableError);
    expect(left()).toBeDefined();
    await journal.undo(options.signal);
    expect(left()).toBeUndefined();
  });
});

test('covers: fields may be added, lists may not be longer', () => {
  expect(covers({ a: 1, b: { c: [{ d: 1, e: 2 }] } }, { b: { c: [{ d: 1 }] } })).toBe(true);
  expect(covers({ c: [1, 2] }, { c: [1] })).toBe(false);
  expect(covers({ c: null }, { c: { d: 1 } })).toBe(false);
  expect(covers({ labels: managed }, { labels: {} })).toBe(true);
});
