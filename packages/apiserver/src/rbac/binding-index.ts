/** An index of bindings by subject: a decision reads only those of one user and its groups, however many there are. */

import { Pace } from '@fleet/client/pace.ts';
import { accountUser, readAccountName, type User } from '../authn/user.ts';
import type { KubeObject } from '../registry/kube-object.ts';

export interface Subject {
  kind: string;
  name: string;
  namespace?: string;
}

export interface Binding {
  name: string;
  /** Empty for a ClusterRoleBinding. */
  namespace: string;
  roleRef: { kind: string; name: string };
  subjects: readonly Subject[];
}

export function bindingOf({ metadata: { name = '', namespace = '' }, roleRef, subjects }: KubeObject): Binding {
  return {
    name,
    namespace,
    roleRef: roleRef as Binding['roleRef'],
    subjects: (subjects as Subject[] | undefined) ?? [],
  };
}

/** Undefined for an invalid subject. */
function keyOf({ kind, name, namespace }: Subject, bindingNamespace: string): string | undefined {
  switch (kind) {
    case 'User':
      return `user ${name}`;
    case 'Group':
      return `group ${name}`;
    case 'ServiceAccount': {
      const home = namespace || bindingNamespace;
      return home ? `user ${accountUser({ namespace: home, name })}` : undefined;
    }
    default:
      return undefined;
  }
}

const isFor = (subject: Subject, { name, groups }: User, bindingNamespace: string): boolean => {
  if (subject.kind === 'Group') return groups.includes(subject.name);
  if (subject.kind === 'ServiceAccount' && !readAccountName(name)) return false;
  return keyOf(subject, bindingNamespace) === `user ${name}`;
};

/** The first subject of a binding that matches the user. */
export const subjectFor = ({ subjects, namespace }: Binding, user: User): Subject | undefined =>
  subjects.find((subject) => isFor(subject, user, namespace));

/** Subjects that are added in one slice: about a millisecond. */
const mostAtOnce = 1_000;

export class BindingIndex {
  readonly #bySubject = new Map<string, Map<string, Binding>>();

  /** Replaces a binding by another of the same name. */
  replace(before: Binding | undefined, now: Binding | undefined): void | Promise<void> {
    const isLong = [before, now].some((one) => one && one.subjects.length > mostAtOnce);
    if (isLong) return this.#replaceInSlices(before, now);
    for (const key of keysOf(before)) this.#drop(key, before!);
    for (const key of keysOf(now)) this.#put(key, now!);
  }

  /** A subject of both never loses the permission in between (LIMIT-3). */
  async #replaceInSlices(before: Binding | undefined, now: Binding | undefined): Promise<void> {
    const pace = new Pace();
    const kept = new Set<string>();
    for (const key of keysOf(now)) {
      if (pace.isDue) await pace.rest();
      kept.add(key);
      this.#put(key, now!);
    }
    for (const key of keysOf(before)) {
      if (pace.isDue) await pace.rest();
      if (!kept.has(key)) this.#drop(key, before!);
    }
  }

  #put(key: string, binding: Binding): void {
    const bindings = this.#bySubject.get(key) ?? new Map<string, Binding>();
    this.#bySubject.set(key, bindings.set(binding.name, binding));
  }

  #drop(key: string, { name }: Binding): void {
    const bindings = this.#bySubject.get(key);
    if (bindings?.delete(name) && bindings.size === 0) this.#bySubject.delete(key);
  }

  /** Without duplicates. */
  *of({ name, groups }: User): Iterable<Binding> {
    const seen = new Set<Binding>();
    for (const key of [`user ${name}`, ...groups.map((group) => `group ${group}`)]) {
      for (const binding of this.#bySubject.get(key)?.values() ?? []) {
        if (seen.has(binding)) continue;
        seen.add(binding);
        yield binding;
      }
    }
  }
}

function* keysOf(binding: Binding | undefined): Iterable<string> {
  for (const subject of binding?.subjects ?? []) {
    const key = keyOf(subject, binding!.namespace);
    if (key !== undefined) yield key;
  }
}
