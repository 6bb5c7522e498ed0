/** How much one registry may select of one member (SEC-2). */

/** Resources: with kind `*`, a hostile member could announce thousands. */
export const mostResources = 500;
/** Resources in single namespaces, each of which has a feed of its own. */
export const mostNamespaced = 2_000;

export interface Selected {
  /** Of the resource. */
  key: string;
  /** Undefined: all namespaces, or a cluster-scoped resource. */
  namespace: string | undefined;
  /** How many clusters serve it. */
  votes: number;
}

export interface Bounded<T> {
  kept: readonly T[];
  /** How many are left out, counting each namespace of a resource. */
  omitted: number;
}

/** If there are too many, those that most clusters serve are kept. A resource in all namespaces contains those in one. */
export function withinBound<T extends Selected>(all: readonly T[]): Bounded<T> {
  const whole = new Set(all.flatMap(({ key, namespace }) => (namespace === undefined ? [key] : [])));
  const needed = all.filter(({ key, namespace }) => namespace === undefined || !whole.has(key));
  const byFeed = Map.groupBy(needed, ({ key, namespace = '' }) => `${key} ${namespace}`);
  const resources = new Set<string>();
  const kept = new Set<string>();
  for (const [feed, [first]] of [...byFeed].sort(([, [a]], [, [b]]) => b!.votes - a!.votes)) {
    const isFull = resources.size >= mostResources && !resources.has(first!.key);
    if (isFull || kept.size >= mostNamespaced) continue;
    resources.add(first!.key);
    kept.add(feed);
  }
  const omitted = byFeed.size - kept.size;
  if (omitted === 0) return { kept: needed, omitted };
  return { kept: needed.filter(({ key, namespace = '' }) => kept.has(`${key} ${namespace}`)), omitted };
}
