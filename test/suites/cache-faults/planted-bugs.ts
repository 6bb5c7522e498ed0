/** Bugs that a cache may have where things go wrong, planted to see that the suite notices each (docs/adr/0007). */

import type { Mutant } from '@fleet/bed/mutant.ts';

export const dropsDeletion: Mutant = {
  file: 'cache/src/difference.ts',
  from: "if (order < 0) this.add('DELETED', before, before);",
  to: "if (order < 0) { if (this.dropped) this.add('DELETED', before, before); else { this.dropped = true; this.replaced.push(before); } }",
};

export const deletesWhatIsThere: Mutant = {
  file: 'cache/src/difference.ts',
  from: 'else if (isUnchanged(before, after)) this.replaced.push(before);',
  to: "else if (isUnchanged(before, after) && this.hasDeleted) this.replaced.push(before); else if (isUnchanged(before, after)) { this.hasDeleted = true; this.add('DELETED', before, before); }",
};

export const staleWithoutWarning: Mutant = {
  file: 'server/src/cache/cached-source.ts',
  from: 'warning: since &&',
  to: 'warning: since && undefined &&',
};

export const restartsOthers: Mutant = {
  file: 'server/src/cache/resource-cache.ts',
  from: 'report(healthOf(state));',
  to: "report(healthOf(state)); if (state.is === 'filling') for (const [other, one] of this.reflectors) if (other !== id) one.cancelStream?.(new Error('another is listed'));",
};

export const fullAsWhole: Mutant = {
  file: 'cache/src/feed.ts',
  from: 'const { size } = keys;\n          close();',
  to: 'if (error instanceof CacheFullError) return; const { size } = keys; close();',
};
