/** Converts field sets from an older schema: what has become atomic since is owned as a whole. */

import type { ListType, MapType, TypeRef } from '../../schema/merge-type.ts';
import { FieldSet, type Path } from '../fields/field-set.ts';
import type { PathElement } from '../fields/path-element.ts';
import { handle } from './validation.ts';

export function reconcile(set: FieldSet, type: TypeRef): FieldSet {
  const atomic = new FieldSet();
  walk({ atomic, path: [], set, isLeaf: false }, type);
  return atomic.isEmpty ? set : set.recursiveDifference(atomic).union(atomic);
}

interface Walk {
  /** The fields to be owned as a whole. */
  atomic: FieldSet;
  path: Path;
  set: FieldSet | undefined;
  /** A member of the set, with nothing below it. */
  isLeaf: boolean;
}

function walk(here: Walk, type: TypeRef): void {
  const atom = type.resolve();
  if (!atom) throw new TypeError(`could not resolve ${type.name ?? 'inlined type'}`);
  handle<void>(atom, type, {
    scalar: () => undefined,
    list: (list) => {
      if (!here.isLeaf && list.atomic) here.atomic.insert(here.path);
      else descend(here, () => list.element);
    },
    map: (map) => {
      if (isDeduced(map)) return;
      if (here.isLeaf || !map.atomic) descend(here, (step) => typeAt(map, step));
      else if (here.set && !here.set.isEmpty) here.atomic.insert(here.path);
    },
    none: (message) => {
      throw new TypeError(message);
    },
  });
}

/** Fields that the schema does not have are kept. */
function descend({ atomic, path, set }: Walk, typeOf: (step: PathElement) => TypeRef | undefined): void {
  if (!set) return;
  const steps = [...set.sortedChildren().map(({ step }) => step), ...set.sortedMembers()];
  for (const step of new Map(steps.map((one) => [one.text, one])).values()) {
    const type = typeOf(step);
    const below = set.below(step);
    const isLeaf = set.hasMember(step) && !below;
    if (type) walk({ atomic, path: [...path, step], set: below, isLeaf }, type);
  }
}

const typeAt = (map: MapType, step: PathElement): TypeRef | undefined =>
  (step.by === 'name' ? map.field(step.name)?.type : undefined) ?? map.element;

/** A map without a schema. */
function isDeduced({ hasFields, element }: MapType): boolean {
  if (hasFields || !element) return false;
  return element.name ? element.name === '__untyped_deduced_' : element.resolve()?.scalar === 'untyped';
}

/** The set with each declared field added that has members below it. */
export function withNamedFields(set: FieldSet, type: TypeRef | undefined): FieldSet {
  const atom = type?.resolve();
  return set.extended(
    (step) => step.by === 'name' && atom?.map?.field(step.name) !== undefined,
    (step, below) => withNamedFields(below, typeBelow(atom?.map, atom?.list, step)),
  );
}

function typeBelow(map: MapType | undefined, list: ListType | undefined, step: PathElement): TypeRef | undefined {
  if (step.by === 'name' && map) return typeAt(map, step);
  return step.by === 'key' ? list?.element : undefined;
}
