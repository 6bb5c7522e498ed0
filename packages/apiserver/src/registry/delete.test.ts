import { describe, expect, it } from 'vitest';
import { decodeObject } from './stored-object.ts';
import { widget, widgets } from './testing/kinds.ts';
import { openRegistry } from './testing/open-registry.ts';
import { refusal } from './testing/refusal.ts';

const at = { namespace: 'default' };

describe('delete', () => {
  it('takes it away at once if nothing holds it', async () => {
    const { registry } = await openRegistry(widgets);
    const made = await registry.create(widget('a'), at);
    const { object, gone } = await registry.delete('a', at);
    // Its last version is that of the deletion.
    expect(Number(object.metadata.resourceVersion)).toBeGreaterThan(Number(made.metadata.resourceVersion));
    expect({ ...object, metadata: { ...object.metadata, resourceVersion: made.metadata.resourceVersion } }).toEqual(
      made,
    );
    expect(gone).toBe(true);
    await expect(registry.get('a', at)).rejects.toEqual(refusal(404, 'NotFound', 'widgets.example.com "a" not found'));
    await expect(registry.delete('a', at)).rejects.toEqual(
      refusal(404, 'NotFound', 'widgets.example.com "a" not found'),
    );
  });

  it('waits for finalizers: marked once, gone with the last of them', async () => {
    const { registry, store } = await openRegistry(widgets);
    await registry.create(widget('a', { metadata: { finalizers: ['example.com/hold'] } }), at);
    const { object, gone } = await registry.delete('a', at);
    expect(gone).toBe(false);
    expect(object.metadata).toMatchObject({
      deletionTimestamp: '2026-01-02T03:04:05Z',
      deletionGracePeriodSeconds: 0,
      generation: 2,
      resourceVersion: '3',
    });
    expect((await registry.delete('a', at)).object.metadata.resourceVersion).toBe('3');
    expect(await store.revision()).toBe(3);
    await expect(
      registry.update('a', at, (old) => ({
        ...old!,
        metadata: { ...old!.metadata, finalizers: ['example.com/hold', 'example.com/new'] },
      })),
    ).rejects.toEqual(
      refusal(
        422,
        'Invalid',
        'Widget.example.com "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/new"}',
      ),
    );
    await registry.update('a', at, (old) => ({ ...old!, metadata: { ...old!.metadata, finalizers: [] } }));
    await expect(registry.get('a', at)).rejects.toMatchObject({ code: 404 });
  });

  it.each([
    [{ propagationPolicy: 'Orphan' as const }, ['orphan']],
    [{ propagationPolicy: 'Foreground' as const }, ['foregroundDeletion']],
    [{ orphanDependents: true }, ['orphan']],
  ])('%o leaves the dependents to the garbage collector', async (options, finalizers) => {
    const { registry } = await openRegistry(widgets);
    await registry.create(widget('a'), at);
    const { object, gone } = await registry.delete('a', { ...at, ...options });
    expect([gone, object.metadata.finalizers]).toEqual([false, finalizers]);
  });

  it('refuses another object than the one that was meant', async () => {
    const { registry } = await openRegistry(widgets);
    const { metadata } = await registry.create(widget('a'), at);
    await expect(registry.delete('a', { ...at, preconditions: { uid: 'u' } })).rejects.toEqual(
      refusal(
        409,
        'Conflict',
        `Operation cannot be fulfilled on Widget.example.com "a": the UID in the precondition (u) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
      ),
    );
    await expect(registry.delete('a', { ...at, preconditions: { resourceVersion: '9' } })).rejects.toEqual(
      refusal(
        409,
        'Conflict',
        'Operation cannot be fulfilled on Widget.example.com "a": the ResourceVersion in the precondition (9) does not match the ResourceVersion in record (2). The object might have been modified',
      ),
    );
  });

  it('dry run: it stays', async () => {
    const { registry } = await openRegistry(widgets);
    await registry.create(widget('a'), at);
    expect((await registry.delete('a', { ...at, dryRun: true })).gone).toBe(true);
    await registry.get('a', at);
  });

  it('of a collection takes what is selected', async () => {
    const { registry } = await openRegistry(widgets);
    for (const [name, color] of [
      ['a', 'red'],
      ['b', 'blue'],
      ['c', 'red'],
    ] as const)
      await registry.create(widget(name, { spec: { color } }), at);
    const fields = [{ field: 'spec.color', value: 'red', equal: true }];
    expect((await registry.deleteCollection({ ...at, fields }, {})).entries).toHaveLength(2);
    expect((await registry.list(at)).entries.map((entry) => decodeObject(entry).metadata.name)).toEqual(['b']);
  });
});
