import { describe, expect, it } from 'vitest';
import type { KubeObject } from './kube-object.ts';
import { decodeObject } from './stored-object.ts';
import { notes, widget, widgets } from './testing/kinds.ts';
import { openRegistry } from './testing/open-registry.ts';
import { refusal } from './testing/refusal.ts';

const at = { namespace: 'default' };

describe('update', () => {
  const change = (patch: (object: KubeObject) => void) => (old: KubeObject | undefined) => {
    const object = structuredClone(old!);
    patch(object);
    return object;
  };

  it('writes changes, and counts the generation', async () => {
    const { registry } = await openRegistry(widgets);
    await registry.create(widget('a', { spec: { color: 'red' } }), at);
    const { object } = await registry.update(
      'a',
      at,
      change((one) => {
        one['spec'] = { color: 'blue' };
      }),
    );
    expect(object).toMatchObject({ metadata: { generation: 2, resourceVersion: '3' }, spec: { color: 'blue' } });
    const labelled = await registry.update(
      'a',
      at,
      change((one) => {
        one.metadata.labels = { a: 'b' };
      }),
    );
    expect(labelled.object.metadata).toMatchObject({ generation: 2, resourceVersion: '4' });
  });

  it('writes nothing if nothing is new', async () => {
    const { registry, store } = await openRegistry(widgets);
    await registry.create(widget('a', { spec: { color: 'red', size: 1 } }), at);
    const { object } = await registry.update(
      'a',
      at,
      change((one) => {
        one['spec'] = { size: 1, color: 'red' };
      }),
    );
    expect(object.metadata.resourceVersion).toBe('2');
    expect(await store.revision()).toBe(2);
  });

  it('keeps what updates may not touch, and refuses what they may not change', async () => {
    const { registry } = await openRegistry(widgets);
    const { metadata } = await registry.create(widget('a'), at);
    const { object } = await registry.update(
      'a',
      at,
      change((one) => {
        Object.assign(one.metadata, {
          generation: 9,
          creationTimestamp: '2020-01-01T00:00:00Z',
          deletionTimestamp: '2020-01-01T00:00:00Z',
        });
        delete one.metadata.uid;
        one['status'] = { sneaked: 'in' };
      }),
    );
    expect(object.metadata).toEqual(metadata);
    expect(object).not.toHaveProperty('status');
    await expect(
      registry.update(
        'a',
        at,
        change((one) => {
          one.metadata.name = 'b';
        }),
      ),
    ).rejects.toEqual(
      refusal(
        422,
        'Invalid',
        'Widget.example.com "b" is invalid: metadata.name: Invalid value: "b": field is immutable',
      ),
    );
  });

  it('refuses an older version, none where one is needed, and another object of the same name', async () => {
    const { registry } = await openRegistry(widgets);
    const first = await registry.create(widget('a'), at);
    await registry.update(
      'a',
      at,
      change((one) => {
        one['spec'] = 1;
      }),
    );
    await expect(registry.update('a', at, () => first)).rejects.toEqual(
      refusal(
        409,
        'Conflict',
        'Operation cannot be fulfilled on widgets.example.com "a": the object has been modified; please apply your changes to the latest version and try again',
      ),
    );
    await expect(registry.update('a', at, () => widget('a'))).rejects.toEqual(
      refusal(
        422,
        'Invalid',
        'widgets.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      ),
    );
    await expect(
      registry.update('a', { ...at, uid: 'u' }, () => widget('a', { metadata: { uid: 'u' } })),
    ).rejects.toEqual(
      refusal(
        409,
        'Conflict',
        `Operation cannot be fulfilled on widgets.example.com "a": StorageError: invalid object, Code: 4, Key: /registry/example.com/widgets/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: u, UID in object meta: ${first.metadata.uid}`,
      ),
    );
    await expect(registry.update('b', at, () => widget('b'))).rejects.toEqual(
      refusal(404, 'NotFound', 'widgets.example.com "b" not found'),
    );
  });

  it('without a version replaces what is there, if the kind allows it', async () => {
    const { registry } = await openRegistry(notes);
    await registry.create(widget('a', { data: 1 }), at);
    const { object } = await registry.update('a', at, () => widget('a', { data: 2 }));
    expect(object).toMatchObject({ kind: 'Note', data: 2, metadata: { resourceVersion: '3' } });
  });

  it('of many writers at once loses none, as each is asked again', async () => {
    const { registry } = await openRegistry(notes);
    await registry.create(widget('a', { count: 0 }), at);
    const count = change((one) => {
      one['count'] = (one['count'] as number) + 1;
      delete one.metadata.resourceVersion;
    });
    await Promise.all(Array.from({ length: 12 }, () => registry.update('a', at, count)));
    expect(decodeObject(await registry.get('a', at))['count']).toBe(12);
  });

  it('of the status changes nothing else, and nothing else changes the status', async () => {
    const { registry } = await openRegistry(widgets);
    await registry.create(widget('a', { spec: { color: 'red' } }), at);
    const both = change((one) => Object.assign(one, { spec: { color: 'blue' }, status: { seen: true } }));
    const status = await registry.update('a', { ...at, subresource: 'status' }, both);
    expect(status.object).toMatchObject({
      spec: { color: 'red' },
      status: { seen: true },
      metadata: { generation: 1 },
    });
    const spec = await registry.update(
      'a',
      at,
      change((one) => Object.assign(one, { spec: { color: 'blue' }, status: {} })),
    );
    expect(spec.object).toMatchObject({ spec: { color: 'blue' }, status: { seen: true }, metadata: { generation: 2 } });
  });

  it('makes what is not there, if it may', async () => {
    const { registry } = await openRegistry(widgets);
    const { created, object } = await registry.update('a', { ...at, canCreate: true }, () => widget('a'));
    expect([created, object.metadata.resourceVersion]).toEqual([true, '2']);
  });

  it('COMPAT-4: of what is not there a dry run shows the version that was given', async () => {
    const { registry } = await openRegistry(widgets);
    const given = () => widget('a', { metadata: { resourceVersion: '7' } });
    const tried = await registry.update('a', { ...at, canCreate: true, dryRun: true }, given);
    expect(tried.object.metadata.resourceVersion).toBe('7');
    const made = await registry.update('a', { ...at, canCreate: true }, given);
    expect(made.object.metadata.resourceVersion).toBe('2');
  });

  it('dry run: all is checked, nothing is written', async () => {
    const { registry, store } = await openRegistry(notes);
    await registry.create(widget('a'), at);
    await registry.update('a', { ...at, dryRun: true }, () => widget('a', { data: 2 }));
    expect(await store.revision()).toBe(2);
  });
});
