/** Conflicts with fields of other managers, with kube-apiserver's error texts. */

import { type StatusCause, StatusError } from '@fleet/kube/status.ts';
import { quoted } from '../../errors/quoted.ts';
import { FieldSet, type Path } from '../fields/field-set.ts';
import { pathText } from '../fields/path-element.ts';
import { compareText } from '../go-text.ts';
import { type Identity, identityText } from './managed.ts';

export interface Conflict {
  with: Identity;
  path: Path;
}

/** Not an error yet: fields that kubectl applied client-side may be taken over. */
export class Conflicts extends Error {
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super('conflicts');
    this.conflicts = conflicts;
  }

  get fields(): FieldSet {
    return FieldSet.of(...this.conflicts.map(({ path }) => path));
  }

  without(fields: FieldSet): Conflicts {
    return new Conflicts(this.conflicts.filter(({ path }) => !fields.has(path)));
  }

  toStatusError(): StatusError {
    const causes = this.conflicts.map(
      (conflict): StatusCause => ({
        reason: 'FieldManagerConflict',
        message: `conflict with ${shown(conflict.with)}`,
        field: pathText(conflict.path),
      }),
    );
    return new StatusError(409, 'Conflict', messageOf(this.conflicts), { causes });
  }
}

function messageOf(conflicts: readonly Conflict[]): string {
  const [only, ...others] = conflicts;
  if (only && others.length === 0) {
    return `Apply failed with 1 conflict: conflict with ${shown(only.with)}: ${pathText(only.path)}`;
  }
  const byManager = Map.groupBy(conflicts, (conflict) => identityText(conflict.with));
  const lines = [...byManager.entries()]
    .sort(([left], [right]) => compareText(left, right))
    .flatMap(([, theirs]) => [
      `conflicts with ${shown(theirs[0]!.with)}:`,
      ...theirs.map(({ path }) => `- ${pathText(path)}`),
    ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function shown({ manager, operation, apiVersion, subresource }: Identity): string {
  const name = `${quoted(manager)}${subresource ? ` with subresource ${quoted(subresource)}` : ''}`;
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
