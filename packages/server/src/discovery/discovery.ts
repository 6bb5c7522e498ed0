/** Discovery of the places of the merged views: cached per place, read again on changes, and kept while a place is unreachable (DISC-3). */

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
 * `fleet`: all members, and the fleet's own kinds of the control plane. `members`: the members alone (LIST-6). `aggregation`: the control
 * plane with the registered resources (CACHE-10).
 */
export type MergedView = 'fleet' | 'members' | 'aggregation';

/** `/api` and `/apis`. */
export interface Served {
  core: GroupDiscoveryList;
  groups: GroupDiscoveryList;
}

/** What one place serves, and the group versions that it could not discover itself (`freshness: Stale`). */
export type Apis = ({ is: 'known'; stale: readonly string[] } & Served) | { is: 'unknown' };

export interface DiscoveryPlace {
  name: string;
  upstream: Upstream;
  /** Only the control plane has it: the groups that only it serves, which are all that the merged views show of it. */
  owns?: (group: string) => boolean;
  /** With federation: its other kinds are shown as well, beside those of members (NAME-5). */
  isShownWhole?: boolean;
  /** Its registered resources. The same object until something changes. */
  registered?: {
    served(whole: Served): Served;
    /** Counts changes of its OpenAPI. */
    index(whole: OpenApiIndex): OpenApiIndex;
  };
}

interface Known {
  place: DiscoveryPlace;
  facts: PlaceFacts | undefined;
  /** The same object until something changes. */
  served: Served;
  /** Of the control plane: its other kinds, where they are shown beside what members serve. */
  beside: Served | undefined;
  /** Including what is hidden in merged views. */
  whole: Served;
  /** The time of the next reading, as of `Date.now()`. */
  due: number;
  reading: Promise<void> | undefined;
  /** Whether the last reading failed: then the last known state is served. */
  failed: boolean;
  /** For the control plane: its schemas have no descriptions, so those of members with the same schema are shown. */
  isTerse: boolean;
}

/** In milliseconds: read again when older than this, so that it is at most a minute old (DISC-3). */
const maxAge = 30_000;
/** In milliseconds: how often due places are looked for. Often, as each place is due at its own time. */
const lookEvery = 2_000;
/** A server shows a new kind some time after its definition: in discovery at once, in OpenAPI after a second or two. */
const readingsAfterChange = [200, 1_500, 4_000];
const empty: Served = { core: { items: [] }, groups: { items: [] } };

interface Events {
  /** The kinds that a place serves have changed. */
  changed: [name: string];
  /** The schemas of a place have changed, in these documents, such as `apis/apps/v1`. */
  described: [name: string, documents: ReadonlySet<string>];
}

export class Discovery {
  readonly events = new EventEmitter<Events>();
  /** The unions that clients were last sent; empty before that. */
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

  /** Waits for a place that was never read. Otherwise the last known state is used, and refreshed in the background. */
  async union(view: MergedView = 'fleet'): Promise<Served> {
    const known = await this.current(view);
    // If no member was ever read, only the control plane's kinds are known (LIST-2).
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

  /** Places with OpenAPI, in order of precedence (DISC-2). Places without descriptions come last. */
  async contributors(view: MergedView): Promise<Contributor[]> {
    const known = (await this.current(view)).sort((a, b) => Number(a.isTerse) - Number(b.isTerse));
    return known.flatMap(({ place, facts, failed }) => {
      if (!facts?.openapi) return [];
      const { name, upstream, owns, isShownWhole, registered } = place;
      const index = facts.openapi.value;
      if (view !== 'aggregation') return [{ name, upstream, owns, isShownWhole, index, isUnreachable: failed }];
      if (owns) return [{ name, upstream, index, isUnreachable: failed }];
      const shown = registered?.index(index);
      return shown?.size ? [{ name, upstream, index: shown, isUnreachable: failed }] : [];
    });
  }

  /** The oldest version of all members: a client that goes by it uses nothing that one of them lacks. */
  async oldestMember(): Promise<VersionInfo | undefined> {
    const known = await this.current('members');
    return known.findLast(({ facts }) => facts?.version)?.facts?.version;
  }

  /** For the Cluster's status. Unlike in the union, a place that cannot be read now is unknown. */
  async apisOf(name: string): Promise<Apis> {
    const place = this.places().find((known) => known.name === name);
    if (!place) return { is: 'unknown' };
    const { whole, failed, facts } = await this.of(place);
    if (failed || !facts) return { is: 'unknown' };
    return { is: 'known', ...whole, stale: staleIn(whole.groups) };
  }

  /** The last known APIs of a place; undefined if it was never read. */
  servedBy(name: string): Served | undefined {
    const known = this.known.get(name);
    return known?.facts && known.whole;
  }

  /** Reads in the background, so that no request has to wait for a place that has just become unreachable. */
  keepFresh(): Disposable & { look: () => void } {
    const changes = new ApiChanges((name) => this.changed(name));
    let over = false;
    const look = () => {
      // Members are removed after this has ended, so a watch that begins now would never end.
      if (over) return;
      changes.follow(this.places());
      // Failures are logged where they happen. The last known state is served.
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

  /** Many changes come together: the first planned reading stays, later ones are postponed by each change. */
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

  /** In order of precedence: the control plane, then the newest version, then the name. */
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

  /** Random, as hundreds of places that are read at the same moment would miss their deadlines together, again and again. */
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
      // Unreachable: read again after a pause, so that a hanging place does not cost every request its deadline.
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

/** `own`: the control plane's discovery. */
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
