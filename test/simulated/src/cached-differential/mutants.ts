/** Bugs that a cache may have, planted to see that the suite notices each (docs/adr/0007). */

import type { Mutant } from '@fleet/bed/mutant.ts';

export interface PlantedBug extends Mutant {
  bug: string;
}

export const plantedBugs: readonly PlantedBug[] = [
  {
    bug: 'a list without its last item',
    file: 'server/src/cache/cached-list.ts',
    from: 'for (const end of ends) {',
    to: 'for (const end of ends.slice(0, -1)) {',
  },
  {
    bug: 'a selector evaluated on old labels',
    file: 'cache/src/read-events.ts',
    from: 'const is = selects(after);',
    to: 'const is = selects(before === none ? after : before);',
  },
  {
    bug: 'a deletion that is dropped',
    file: 'cache/src/resource-table.ts',
    from: 'for (const change of changes) this.applyOne(change);',
    to: "for (const change of changes) if (change.type !== 'DELETED') this.applyOne(change);",
  },
  {
    bug: 'a page of now, not of its version',
    file: 'server/src/cache/cached-source.ts',
    from: "return found.is === 'seq' ? { at: found.seq, ...token } : 'version';",
    to: "return found.is === 'seq' ? { at: 'now', ...token } : 'version';",
  },
  {
    bug: 'a deletion lost with the selection',
    file: 'cache/src/read-events.ts',
    from: "return { type: 'DELETED', id: before, version };",
    to: 'return version ? undefined : { type, id: before };',
  },
  {
    bug: 'a named object as the item of a list',
    file: 'server/src/cache/object-query.ts',
    from: 'itemForm(asked.form, { includeObject }, false)',
    to: 'itemForm(asked.form, { includeObject }, true)',
  },
  {
    bug: 'a yes of one namespace used for all',
    file: 'server/src/cache/member-permissions.ts',
    from: 'const named = { namespace, name: name || nameSelectedBy(fieldSelector) };',
    to: "const named = { namespace: namespace || 'shop', name: name || nameSelectedBy(fieldSelector) };",
  },
];
