/** Compares what registries select before and after a change: most changes of members' discovery do not affect it. Pure. */

import type { SelectedResource, SelectedResources, Selection, Wants } from './wants.ts';

export const sameSelection = (before: Selection, now: Selection): boolean =>
  sameWants(before.wants, now.wants) &&
  sameWants(before.disputed, now.disputed) &&
  before.ofMembersOnly.symmetricDifference(now.ofMembersOnly).size === 0;

export function sameWants(before: Wants, now: Wants): boolean {
  if (before.size !== now.size) return false;
  const texts = new Map<SelectedResources, string>();
  const textOf = (resources: SelectedResources): string => {
    const text = texts.get(resources) ?? JSON.stringify([...resources.values()].map(plain));
    texts.set(resources, text);
    return text;
  };
  return now.entries().every(([cluster, resources]) => {
    const last = before.get(cluster);
    return last !== undefined && textOf(last) === textOf(resources);
  });
}

const plain = ({ namespaces, ...rest }: SelectedResource) => ({
  ...rest,
  namespaces: namespaces && [...namespaces].sort(),
});
