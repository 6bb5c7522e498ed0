/** What the clusters of the merged view serve: cached per place, refreshed every minute, kept while a place is away (DISC-3). */

import type { Upstream } from '@fleet/client/upstream.ts';
import { aggregatedDiscoveryAccept, type GroupDiscoveryList } from '@fleet/kube/discovery.ts';
import type { Logger } from 'pino';
import { uniteDiscovery } from './union.ts';

/** `/api` and `/apis` of one place. */
export interface Served {
  core: GroupDiscoveryList;
  groups: GroupDiscoveryList;
}

/** What one place serves, and of what it could not find out itself (`freshness: Stale`). */
export type Apis = ({ is: 'known'; stale: readonly string[] } & Served) | { is: 'unknown' };

export interface DiscoveryPlace {
  name: string;
  upstream: Upstream;
  /** The control plane shows only the product's own groups in the merged view. */
  shows?: (group: string) => boolean;
}

interface Known {
  place: DiscoveryPlace;
  served: Served | undefined;
  readAt: number;
  reading: Promise<void> | undefined;
  /** Whether the last attempt failed: what is served is what was served before. */
  failed: boolean;
}

/** Read again when older than this, looked at as often: at most a minute old (DISC-3). */
const maxAge = 30_000;
const readDeadline = 5_000;
const nothing: GroupDiscoveryList = { items: [] };

export class Discovery {
  private readonly known = new Map<string, Known>();
  private readonly places: () => readonly DiscoveryPlace[];
  private readonly log: Logger;

  constructor(places: () => readonly DiscoveryPlace[], log: Logger) {
    this.places = places;
    this.log = log;
  }

  /** A place that was never read is waited for; one that was is shown as it was last, and read again behind the scenes. */
  async union(): Promise<Served> {
    const places = this.places();
    const names = new Set(places.map(({ name }) => name));
    for (const name of this.known.keys()) if (!names.has(name)) this.known.delete(name);
    const served = await Promise.all(places.map((place) => this.of(place)));
    return {
      core: uniteDiscovery(served.map(({ core }) => core)),
      groups: uniteDiscovery(served.map(({ groups }) => groups)),
    };
  }

  /** For the Cluster's status: unlike in the union, a place that cannot be read now is unknown. */
  async apisOf(name: string): Promise<Apis> {
    const place = this.places().find((known) => known.name === name);
    if (!place) return { is: 'unknown' };
    const { core, groups } = await this.of(place);
    const known = this.knownOf(place);
    if (known.failed || !known.served) return { is: 'unknown' };
    return { is: 'known', core, groups, stale: staleIn(groups) };
  }

  /** Reads ahead of need, so that no request is the first to ask a place that has just gone silent. */
  keepFresh(): Disposable {
    const look = () => {
      // Failures are logged where they happen, and shown as the last known state.
      this.union().catch(() => {});
    };
    look();
    const timer = setInterval(look, maxAge);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  private async of(place: DiscoveryPlace): Promise<Served> {
    const known = this.knownOf(place);
    if (Date.now() - known.readAt > maxAge) {
      known.reading ??= this.read(known).finally(() => {
        known.reading = undefined;
      });
      if (!known.served) await known.reading;
    }
    return known.served ?? { core: nothing, groups: nothing };
  }

  private knownOf(place: DiscoveryPlace): Known {
    const known = this.known.get(place.name);
    if (known?.place.upstream === place.upstream) return known;
    const fresh = { place, served: known?.served, readAt: 0, reading: undefined, failed: false };
    this.known.set(place.name, fresh);
    return fresh;
  }

  private async read(known: Known): Promise<void> {
    const { place } = known;
    try {
      const [core, groups] = await Promise.all([
        fetchDocument(place.upstream, '/api'),
        fetchDocument(place.upstream, '/apis'),
      ]);
      const { shows } = place;
      known.served = shows
        ? { core: nothing, groups: { items: groups.items.filter(({ metadata }) => shows(metadata.name ?? '')) } }
        : { core, groups };
      known.readAt = Date.now();
      known.failed = false;
    } catch (error) {
      // Away: asked again after a pause, so that a hanging place does not cost every request its deadline.
      known.readAt = Date.now() - maxAge + readDeadline;
      known.failed = true;
      this.log.warn({ err: error, cluster: place.name }, 'discovery failed');
    }
  }
}

const staleIn = ({ items }: GroupDiscoveryList): string[] =>
  items.flatMap(({ metadata, versions = [] }) =>
    versions.filter(({ freshness }) => freshness === 'Stale').map(({ version }) => `${metadata.name}/${version}`),
  );

async function fetchDocument(upstream: Upstream, path: string): Promise<GroupDiscoveryList> {
  const reply = await upstream.call({
    method: 'GET',
    path,
    headers: { accept: aggregatedDiscoveryAccept, 'user-agent': 'fleet' },
    signal: AbortSignal.timeout(readDeadline),
  });
  const bytes = await reply.body.bytes();
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}`);
  const document = JSON.parse(bytes.toString()) as GroupDiscoveryList & { kind: string };
  if (document.kind !== 'APIGroupDiscoveryList') throw new Error(`${path} gave no aggregated discovery`);
  return document;
}
