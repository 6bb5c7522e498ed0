/** A set of fields, as a tree. A node may be a member, have members below it, or both. */

import { comparePathElements, type PathElement } from './path-element.ts';

export type Path = readonly PathElement[];

export class FieldSet {
  private readonly members = new Map<string, PathElement>();
  private readonly children = new Map<string, { step: PathElement; below: FieldSet }>();

  static of(...paths: Path[]): FieldSet {
    const set = new FieldSet();
    for (const path of paths) set.insert(path);
    return set;
  }

  /** An empty path is ignored, as the whole object is owned by nobody. Only for building a set, which is immutable afterwards. */
  insert(path: Path): void {
    const last = path.at(-1);
    if (!last) return;
    let set: FieldSet = this;
    for (const step of path.slice(0, -1)) set = set.descend(step);
    set.insertStep(last);
  }

  insertStep(step: PathElement): void {
    this.members.set(step.text, step);
  }

  descend(step: PathElement): FieldSet {
    const known = this.children.get(step.text);
    if (known) return known.below;
    const below = new FieldSet();
    this.children.set(step.text, { step, below });
    return below;
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && this.children.values().every(({ below }) => below.isEmpty);
  }

  hasMember(step: PathElement): boolean {
    return this.members.has(step.text);
  }

  has(path: Path): boolean {
    const last = path.at(-1);
    let set: FieldSet | undefined = this;
    for (const step of path.slice(0, -1)) set = set?.below(step);
    return last !== undefined && (set?.hasMember(last) ?? false);
  }

  below(step: PathElement): FieldSet | undefined {
    return this.children.get(step.text)?.below;
  }

  /** Members first, then the paths below, both in Go's order. */
  *paths(prefix: Path = []): Generator<Path> {
    for (const step of this.sortedMembers()) yield [...prefix, step];
    for (const { step, below } of this.sortedChildren()) yield* below.paths([...prefix, step]);
  }

  sortedMembers(): PathElement[] {
    return [...this.members.values()].sort(comparePathElements);
  }

  sortedChildren(): { step: PathElement; below: FieldSet }[] {
    return [...this.children.values()].sort((left, right) => comparePathElements(left.step, right.step));
  }

  union(other: FieldSet): FieldSet {
    const made = new FieldSet();
    for (const set of [this, other]) for (const [text, step] of set.members) made.members.set(text, step);
    for (const [text, { step, below }] of this.children) {
      const more = other.children.get(text)?.below;
      made.children.set(text, { step, below: more ? below.union(more) : below });
    }
    for (const [text, child] of other.children) if (!made.children.has(text)) made.children.set(text, child);
    return made;
  }

  intersection(other: FieldSet): FieldSet {
    return this.filtered(
      (step) => other.hasMember(step),
      (step, below) => {
        const others = other.below(step);
        return others && below.intersection(others);
      },
    );
  }

  /** A member of the other removes only itself, nothing below it. */
  difference(other: FieldSet): FieldSet {
    return this.filtered(
      (step) => !other.hasMember(step),
      (step, below) => {
        const others = other.below(step);
        return others ? below.difference(others) : below;
      },
    );
  }

  /** A member of the other removes everything below it, too. */
  recursiveDifference(other: FieldSet): FieldSet {
    return this.filtered(
      (step) => !other.hasMember(step),
      (step, below) => {
        if (other.hasMember(step)) return undefined;
        const others = other.below(step);
        return others ? below.recursiveDifference(others) : below;
      },
    );
  }

  private filtered(
    keep: (step: PathElement) => boolean,
    change: (step: PathElement, below: FieldSet) => FieldSet | undefined,
  ): FieldSet {
    const made = new FieldSet();
    for (const [text, step] of this.members) if (keep(step)) made.members.set(text, step);
    for (const [text, { step, below }] of this.children) {
      const changed = change(step, below);
      if (changed && !changed.isEmpty) made.children.set(text, { step, below: changed });
    }
    return made;
  }

  /** With those children as members for which `also` is true, and each child changed. */
  extended(also: (step: PathElement) => boolean, change: (step: PathElement, below: FieldSet) => FieldSet): FieldSet {
    const made = new FieldSet();
    for (const [text, step] of this.members) made.members.set(text, step);
    for (const [text, { step, below }] of this.children) {
      if (also(step)) made.members.set(text, step);
      made.children.set(text, { step, below: change(step, below) });
    }
    return made;
  }

  equals(other: FieldSet): boolean {
    return this.difference(other).isEmpty && other.difference(this).isEmpty;
  }

  /** For parsing: adds a member, a subtree, or both. */
  put(step: PathElement, isMember: boolean, below: FieldSet | undefined): void {
    if (isMember) this.members.set(step.text, step);
    if (below) this.children.set(step.text, { step, below });
  }
}

/** The current position of a walk through a value. Sets are created only when something is inserted. */
export class Place {
  private readonly above: Place | FieldSet;
  private readonly step: PathElement | undefined;
  private made: FieldSet | undefined;

  constructor(above: Place | FieldSet, step?: PathElement) {
    this.above = above;
    this.step = step;
  }

  at(step: PathElement): Place {
    return new Place(this, step);
  }

  /** Does nothing at the root, as the whole object is owned by nobody. */
  insert(): void {
    if (this.step && this.above instanceof Place) this.above.set().insertStep(this.step);
  }

  private set(): FieldSet {
    if (this.above instanceof FieldSet) return this.above;
    this.made ??= this.above.set().descend(this.step!);
    return this.made;
  }
}
