/** Small known bugs that the suites of templates must notice (NAME-5, NAME-6). */

import { describe, expect, it, vi } from 'vitest';
import { settled, watch } from './src/cached-watching.ts';
import type { FleetOptions } from './src/fleet.ts';
import { everyName, listed, maps, namesIn, startTemplates } from './src/templates-suite.ts';

// Each starts a product whose files are not compiled yet.
describe('planted bugs', { timeout: 180_000 }, () => {
  const withBug = (mutant: NonNullable<FleetOptions['mutant']>) => startTemplates({ mutant });
  const isTemplate = (text: string) => !text.includes('.clusterspace.');

  it.each([
    [
      'the control plane is no place of merged views',
      {
        file: 'server/src/authz/authorize.ts',
        from: 'templates ? [...members(), karmada].sort() : members();',
        to: 'members();',
      },
    ],
    [
      'a template is left out of lists',
      {
        file: 'server/src/merge/list-body.ts',
        from: 'for (const [at, item] of items.entries()) {',
        to: "for (const [at, item] of items.entries()) { if (cluster === 'karmada' && at === 1) continue;",
      },
    ],
  ])('%s: noticed', async (_, mutant) => {
    await using fleet = await withBug(mutant);
    const names = namesIn(await listed(await fleet.config()));
    expect(names).not.toEqual(everyName);
    expect(names.filter((name) => !isTemplate(name))).toEqual(everyName.filter((name) => !isTemplate(name)));
  });

  it('a watch without the events of templates: noticed', async () => {
    await using fleet = await withBug({
      file: 'server/src/watch/shared-watch.ts',
      from: 'for (const watcher of this.watchers) watcher.deliver(batch, source.position);',
      to: "for (const watcher of this.watchers) if (cluster !== 'karmada') watcher.deliver(batch, source.position);",
    });
    const admin = await fleet.config();
    const { metadata } = await listed(admin);
    const from = { labelSelector: 'beside=yes', resourceVersion: metadata.resourceVersion };
    await using watching = await watch(admin, from, maps);
    await fleet.controlPlane.patch(`${maps}/a`, 'merge', { data: { a: '1' } });
    await fleet.members.get('tokyo')!.client.patch(`${maps}/a`, 'merge', { data: { a: '1' } });
    await vi.waitFor(() => expect(watching.events).toContain('MODIFIED a.clusterspace.tokyo'), settled);
    expect(watching.events.filter(isTemplate)).toEqual([]);
  });

  it('NAME-6: a plain name that is looked for in members: noticed', async () => {
    await using fleet = await withBug({
      file: 'server/src/target/families/resource-paths.ts',
      from: "place: { at: 'template' }, view: family.found",
      to: "place: { at: 'found' }, view: family.found",
    });
    await expect(fleet.view.get(`${maps}/a`)).rejects.toMatchObject({ code: 409 });
  });
});
