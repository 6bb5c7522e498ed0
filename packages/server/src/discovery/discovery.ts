/** What the clusters of the merged views serve: cached per place, read again on changes, kept while a place is unreachable (DISC-3). */

import { EventEmitter } from 'node:events';
import type { Upstream } from '@fleet/client/upstream.ts';
import type { GroupDiscoveryList } from '@fleet/kube/discovery.ts';
import type { Logger } from 'pino';
import { ApiChanges } from './api-changes.ts';
import { compareKubernetesVersions, type VersionInfo } from './kubernetes-version.ts';
import type { OpenApiIndex } from './openapi/index-document.ts';
import type { Contributor } from './openapi/openapi.ts';
import { isTerse } from './openapi/terse.ts';
import { type PlaceFacts, readDeadline, readPlace, withoutTags } from './read-place.ts';
import { uniteDiscovery } from './union.ts';

/**
 * All members with the fleet's own kinds of the control plane; the members alone (LIST-6); or the control plane with what is
 * registered (CACHE-10).
 */
export type MergedView = 'fleet' | 'members' | 'aggregation';

/** `/api` and `/apis`. */
export interface Served {
  core: GroupDiscoveryList;
  groups: GroupDiscoveryList;
}

/** What one place serves, and of what it could not find out itself (`freshness: Stale`). */
export type Apis = ({ is: 'known'; stale: readonly string[] } & Served) | { is: 'unknown' };

export interface DiscoveryPlace {
  name: string;
  upstream: Upstream;
  /** The control plane alone has it: the product's own groups, which are all that the merged view shows of it. */
  owns?: (group: string) => boolean;
  /** With federation: its other kinds are shown, too, beside those of members (NAME-5). */
  isShownWhole?: boolean;
  /** What of it is registered: the same object as long as nothing changes. */
  registered?: {
    served(whole: Served): Served;
    /** Of its OpenAPI. */
    index(whole: OpenApiIndex): OpenApiIndex;
  };
}

interface Known {
  place: DiscoveryPlace;
  facts: PlaceFacts | undefined;
  /** The same object as long as nothing changes. */
  served: Served;
  /** Of the control plane: the rest, where that is shown beside what members serve. */
  beside: Served | undefined;
  /** With what the place does not show beside others. */
  whole: Served;
  /** When it is read again, as `Date.now()` has it. */
  due: number;
  reading: Promise<void> | undefined;
  /** Whether the last attempt failed: what is served is what was served before. */
  failed: boolean;
  /** The control plane's alone: of schemas that others explain, theirs are shown. */
  isTerse: boolean;
}

/** Read again when older than this: at most a minute old (DISC-3). */
const maxAge = 30_000;
/** How often it is looked who is due. Often, as each place has its own time. */
const lookEvery = 2_000;
/** A server shows a new kind some time after its definition: in discovery in a moment, in OpenAPI after a second or two. */
const readingsAfterChange = [200, 1_500, 4_000];
const empty: Served = { core: { items: [] }, groups: { items: [] } };

interface Events {
  /** A place serves something else than before. */
  changed: [name: string];
  /** A place describes other schemas than before, of these documents: as `apis/apps/v1`. */
  described: [name: string, documents: ReadonlySet<string>];
}

export class Discovery {
  readonly events = new EventEmitter<Events>();
  /** What clients were told last; empty before that. */
  lastUnion: Served = empty;
  private readonly known = new Map<string, Known>();
  private readonly united = new Map<MergedView, { of: readonly Served[]; union: Promise<Served> }>();
  private readonly planned = new Map<string, NodeJS.Timeout[]>();
  private readonly places: () => readonly DiscoveryPlace[];
  private readonly log: Logger;

  private readonly random: () => number;

  constructor(places: () => readonly DiscoveryPlace[], log: Logger, random: () => number = Math.random) {
    this.places = places;
    this.log = log;
    this.random = random;
  }

  /** A place that was never read is waited for; one that was is shown as it was last, and read again behind the scenes. */
  async union(view: MergedView = 'fleet'): Promise<Served> {
    const known = await this.current(view);
    // Where nobody else has anything to show yet, kinds are known by the control plane alone (LIST-2).
    const isAlone = known.every(({ place, facts }) => place.owns || !facts);
    const of = known.flatMap(({ place, served, beside, whole }) => {
      if (view === 'aggregation') return place.owns ? whole : (place.registered?.served(whole) ?? empty);
      if (isAlone) return whole;
      return beside ? [served, beside] : served;
    });
    const last = this.united.get(view);
    if (last && last.of.length === of.length && last.of.every((served, index) => served === of[index])) {
      return last.union;
    }
    const controlPlane = this.known.values().find(({ place }) => place.owns);
    const shown = known[0]?.place.owns && of[0];
    const union = unite(of, { shown, known: controlPlane?.whole });
    this.united.set(view, { of, union });
    if (view === 'fleet') this.lastUnion = await union;
    return union;
  }

  /** Places with OpenAPI, in order of precedence (DISC-2); one that explains nothing says nothing better than others. */
  async contributors(view: MergedView): Promise<Contributor[]> {
    const known = (await this.current(view)).sort((a, b) => Number(a.isTerse) - Number(b.isTerse));
    return known.flatMap(({ place, facts, failed }) => {
      if (!facts?.openapi) return [];
      const { name, upstream, owns, isShownWhole, registered } = place;
      const index = facts.openapi.value;
      if (view !== 'aggregation') return [{ name, upstream, owns, isShownWhole, index, away: failed }];
      if (owns) return [{ name, upstream, index, away: failed }];
      const shown = registered?.index(index);
      return shown?.size ? [{ name, upstream, index: shown, away: failed }] : [];
    });
  }

  /** The oldest version among the members: a client that goes by it uses nothing that one of them lacks. */
  async oldestMember(): Promise<VersionInfo | undefined> {
    const known = await this.current('members');
    return known.findLast(({ facts }) => facts?.version)?.facts?.version;
  }

  /** For the Cluster's status: unlike in the union, a place that cannot be read now is unknown. */
  async apisOf(name: string): Promise<Apis> {
    const place = this.places().find((known) => known.name === name);
    if (!place) return { is: 'unknown' };
    const { whole, failed, facts } = await this.of(place);
    if (failed || !facts) return { is: 'unknown' };
    return { is: 'known', ...whole, stale: staleIn(whole.groups) };
  }

  /** What a place serves, as it was last known; undefined where it was never read. */
  servedBy(name: string): Served | undefined {
    const known = this.known.get(name);
    return known?.facts && known.whole;
  }

  /** Reads ahead of need, so that no request is the first to ask a place that has just gone silent. */
  keepFresh(): Disposable & { look: () => void } {
    const changes = new ApiChanges((name) => this.changed(name));
    let over = false;
    const look = () => {
      // Members leave after this has ended: whoever began to watch then would never end.
      if (over) return;
      changes.follow(this.places());
      // Failures are logged where they happen, and shown as the last known state.
      this.union().catch(() => {});
    };
    look();
    const timer = setInterval(look, lookEvery);
    return {
      look,
      [Symbol.dispose]: () => {
        over = true;
        clearInterval(timer);
        changes[Symbol.dispose]();
        for (const timers of this.planned.values()) timers.forEach(clearTimeout);
      },
    };
  }

  /** Many changes come together: the first reading that is planned stays, the later ones are counted from the last. */
  private changed(name: string): void {
    const [first, ...later] = this.planned.get(name) ?? [];
    later.forEach(clearTimeout);
    const plan = (after: number) => setTimeout(() => this.readAgain(name), after).unref();
    const [soon, ...afterwards] = readingsAfterChange;
    this.planned.set(name, [first ?? plan(soon!), ...afterwards.map(plan)]);
  }

  private readAgain(name: string): void {
    const known = this.known.get(name);
    const timers = this.planned.get(name);
    timers?.shift();
    if (timers?.length === 0) this.planned.delete(name);
    if (!known) return;
    known.due = 0;
    this.of(known.place).catch(() => {});
  }

  /** In order of precedence: the control plane, then the newest version, then by name. */
  private async current(view: MergedView): Promise<Known[]> {
    const places = this.places();
    const names = new Set(places.map(({ name }) => name));
    for (const name of this.known.keys()) if (!names.has(name)) this.known.delete(name);
    const seen = places.filter(({ owns }) => view !== 'members' || !owns);
    const known = await Promise.all(seen.map((place) => this.of(place)));
    return known.sort(
      (a, b) =>
        Number(b.place.owns !== undefined) - Number(a.place.owns !== undefined) ||
        compareKubernetesVersions(b.facts?.version, a.facts?.version) ||
        (a.place.name < b.place.name ? -1 : 1),
    );
  }

  private async of(place: DiscoveryPlace): Promise<Known> {
    const known = this.knownOf(place);
    if (Date.now() > known.due) {
      known.reading ??= this.read(known).finally(() => {
        known.reading = undefined;
      });
      if (!known.facts) await known.reading;
    }
    return known;
  }

  private knownOf(place: DiscoveryPlace): Known {
    const known = this.known.get(place.name);
    if (known?.place.upstream === place.upstream) return known;
    const last = known ?? { facts: undefined, served: empty, beside: undefined, whole: empty, isTerse: false };
    const facts = last.facts && withoutTags(last.facts);
    const fresh: Known = { ...last, facts, place, due: 0, reading: undefined, failed: false };
    this.known.set(place.name, fresh);
    return fresh;
  }

  /** Hundreds of places that are read in the same moment would miss their deadlines together, again and again. */
  private spread(most: number): number {
    return most * (0.5 + 0.5 * this.random());
  }

  private async read(known: Known): Promise<void> {
    const { place, facts: last } = known;
    try {
      const alike = [...this.known.values()].flatMap(({ facts }) => facts ?? []);
      const facts = await readPlace(place.upstream, last, alike);
      if (place.owns && facts.openapi?.value !== last?.openapi?.value) {
        known.isTerse = await isTerse(place.upstream, AbortSignal.timeout(readDeadline));
      }
      known.facts = facts;
      if (last?.openapi && facts.openapi && facts.openapi.value !== last.openapi.value) {
        this.events.emit('described', place.name, changedIn(last.openapi.value, facts.openapi.value));
      }
      const { core, groups } = facts;
      if (core.value !== last?.core.value || groups.value !== last.groups.value) {
        known.whole = { core: core.value, groups: groups.value };
        Object.assign(known, shownOf(place, known.whole));
        this.events.emit('changed', place.name);
      }
      known.due = Date.now() + this.spread(maxAge);
      known.failed = false;
    } catch (error) {
      // Away: asked again after a pause, so that a hanging place does not cost every request its deadline.
      known.due = Date.now() + this.spread(known.failed ? 2 * readDeadline : readDeadline);
      known.failed = true;
      this.log.warn({ err: error, cluster: place.name }, 'discovery failed');
    }
  }
}

function shownOf({ owns, isShownWhole }: DiscoveryPlace, whole: Served): Pick<Known, 'served' | 'beside'> {
  if (!owns) return { served: whole, beside: undefined };
  const { true: own = [], false: others = [] } = Object.groupBy(whole.groups.items, ({ metadata }) =>
    owns(metadata.name ?? '') ? 'true' : 'false',
  );
  return {
    served: { core: empty.core, groups: { items: own } },
    beside: isShownWhole ? { core: whole.core, groups: { items: others } } : undefined,
  };
}

const changedIn = (before: OpenApiIndex, now: OpenApiIndex): Set<string> =>
  new Set([...now.keys()].filter((path) => now.get(path) !== before.get(path)));

interface Own {
  shown: Served | undefined;
  known: Served | undefined;
}

/** `own`: what the control plane serves. */
async function unite(served: readonly Served[], own: Own): Promise<Served> {
  const of = (part: keyof Served) =>
    uniteDiscovery(
      served.map((one) => one[part]),
      { shown: own.shown?.[part], known: own.known?.[part] },
    );
  return { core: await of('core'), groups: await of('groups') };
}

const staleIn = ({ items }: GroupDiscoveryList): string[] =>
  items.flatMap(({ metadata, versions }) =>
    (versions ?? [])
      .filter(({ freshness }) => freshness === 'Stale')
      .map(({ version }) => `${metadata.name}/${version}`),
  );
