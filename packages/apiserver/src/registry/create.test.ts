import { describe, expect, it } from 'vitest';
import { StoreError } from '../store/store-error.ts';
import { decodeObject, withVersion } from './stored-object.ts';
import { widget, widgets } from './testing/kinds.ts';
import { openRegistry } from './testing/open-registry.ts';
import { refusal } from './testing/refusal.ts';

const at = { namespace: 'default' };

describe('create', () => {
  it('fills in what the server knows', async () => {
    const { registry } = await openRegistry(widgets);
    const given = widget('a', {
      spec: { color: 'red' },
      status: { seen: true },
      metadata: { labels: { app: 'x' }, uid: 'mine', generation: 7 },
    });
    const made = await registry.create(given, at);
    expect(made).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: {
        name: 'a',
        namespace: 'default',
        labels: { app: 'x' },
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        generation: 1,
        creationTimestamp: '2026-01-02T03:04:05Z',
        resourceVersion: '2',
      },
      spec: { color: 'red' },
    });
    expect(made.metadata.uid).not.toBe('mine');
    const entry = await registry.get('a', at);
    expect(decodeObject(entry)).toEqual(made);
    expect(JSON.parse(withVersion(entry.value, entry.revision).toString())).toEqual(made);
  });

  it('makes up a name', async () => {
    const { registry } = await openRegistry(widgets);
    const { metadata } = await registry.create(widget('', { metadata: { generateName: 'web-' } }), at);
    expect(metadata.name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it.each([
    [{}, widget('a'), 409, 'AlreadyExists', 'widgets.example.com "a" already exists'],
    [
      {},
      widget(''),
      422,
      'Invalid',
      'Widget.example.com "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    [
      {},
      widget('A_'),
      422,
      'Invalid',
      /^Widget\.example\.com "A_" is invalid: metadata\.name: Invalid value: "A_": a lowercase RFC 1123 subdomain/,
    ],
    [
      {},
      widget('b', { metadata: { namespace: 'other' } }),
      400,
      'BadRequest',
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    ...['5', '05', '18446744073709551615'].map(
      (resourceVersion): [object, ReturnType<typeof widget>, number, string, string] => [
        {},
        widget('b', { metadata: { resourceVersion } }),
        500,
        '',
        'resourceVersion should not be set on objects to be created',
      ],
    ),
    [{ dryRun: true }, widget('a'), 409, 'AlreadyExists', 'widgets.example.com "a" already exists'],
  ])('%o refuses %o', async (options, object, code, reason, message) => {
    const { registry } = await openRegistry(widgets);
    await registry.create(widget('a'), at);
    await expect(registry.create(object, { ...at, ...options })).rejects.toEqual(refusal(code, reason, message));
  });

  it.each(['0', '00', 'x', '-1', '18446744073709551616'])('takes %s for no version', async (resourceVersion) => {
    const { registry } = await openRegistry(widgets);
    const { metadata } = await registry.create(widget('a', { metadata: { resourceVersion } }), at);
    expect(metadata.resourceVersion).toBe('2');
  });

  it('reports every error of the metadata as a cause', async () => {
    const { registry } = await openRegistry(widgets);
    const bad = widget('b', {
      metadata: {
        labels: { '-': 'x' },
        annotations: { 'a/b/c': '' },
        finalizers: ['orphan', 'foregroundDeletion'],
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: '', uid: 'u' }],
      },
    });
    const error = (await registry.create(bad, at).catch((thrown: unknown) => thrown)) as {
      details: { causes: { field: string }[] };
    };
    expect(error.details.causes.map(({ field }) => field)).toEqual([
      'metadata.labels',
      'metadata.annotations',
      'metadata.ownerReferences.name',
      'metadata.finalizers',
    ]);
  });

  it('dry run: all is checked, nothing is written', async () => {
    const { registry, store } = await openRegistry(widgets);
    expect((await registry.create(widget('a'), { ...at, dryRun: true })).metadata).not.toHaveProperty(
      'resourceVersion',
    );
    expect(await store.revision()).toBe(1);
  });

  it('a full disk has a clear error', async () => {
    const { registry, store } = await openRegistry(widgets);
    store.write = () => Promise.reject(new StoreError('full', 'no space left on the disk of the data directory'));
    await expect(registry.create(widget('a'), at)).rejects.toEqual(
      refusal(500, 'InternalError', 'Internal error occurred: no space left on the disk of the data directory'),
    );
  });
});
