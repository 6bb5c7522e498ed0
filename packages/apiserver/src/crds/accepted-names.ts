/** Decides which names of a definition are accepted: names are unique within a group (kube's naming controller). */

import { setCondition } from './conditions.ts';
import { type Definition, isTrue, type Names } from './definition.ts';

interface Taken {
  resources: ReadonlySet<string>;
  kinds: ReadonlySet<string>;
}

function takenBy(others: Iterable<Definition>): Taken {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { status } of others) {
    const { plural, singular, kind, listKind, shortNames = [] } = status?.acceptedNames ?? {};
    for (const name of [plural, singular, ...shortNames]) if (name) resources.add(name);
    for (const name of [kind, listKind]) if (name) kinds.add(name);
  }
  return { resources, kinds };
}

/** Sets `acceptedNames` and the conditions NamesAccepted and Established. `others` are of the same group. */
export function acceptNames(definition: Definition, others: Iterable<Definition>, now: string): void {
  const { names: requested } = definition.spec;
  const { resources, kinds } = takenBy(others);
  const accepted: Partial<Names> = { ...definition.status?.acceptedNames };
  const conflicts: { reason: string; message: string }[] = [];
  const refuse = (what: string, name: string): void => {
    conflicts.push({ reason: `${what}Conflict`, message: `${JSON.stringify(name)} is already in use` });
  };
  const take = (field: 'plural' | 'singular' | 'kind' | 'listKind', what: string, taken: ReadonlySet<string>): void => {
    const name = requested[field] ?? '';
    if (taken.has(name)) refuse(what, name);
    else accepted[field] = name;
  };
  take('plural', 'Plural', resources);
  take('singular', 'Singular', resources);
  const odd = (requested.shortNames ?? []).filter((name) => resources.has(name));
  if (odd.length > 0) for (const name of odd) refuse('ShortNames', name);
  else assign(accepted, 'shortNames', requested.shortNames);
  take('kind', 'Kind', kinds);
  take('listKind', 'ListKind', kinds);
  assign(accepted, 'categories', requested.categories);
  definition.status = { ...definition.status, acceptedNames: accepted };
  const conflict = conflicts.at(-1);
  setCondition(
    definition,
    conflict
      ? { type: 'NamesAccepted', status: 'False', ...conflict }
      : { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
    now,
  );
  if (isTrue(definition, 'Established')) return;
  setCondition(
    definition,
    conflict
      ? { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }
      : {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        },
    now,
  );
}

function assign(names: Partial<Names>, field: 'shortNames' | 'categories', value: string[] | undefined): void {
  if (value) names[field] = value;
  else delete names[field];
}
