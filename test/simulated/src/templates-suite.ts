/** With federation: the control plane's templates beside the objects of members, in lists, pages and watches (NAME-5). */

import type { KubeConfig } from '@kubernetes/client-node';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { answersOf, type Variant } from './cached-fleet.ts';
import { settled, versionOf, watch } from './cached-watching.ts';
import { type FleetOptions, type SimulatedFleet, startFleet } from './fleet.ts';
import { requestAs } from './request.ts';

export const maps = '/api/v1/namespaces/default/configmaps';
const ours = 'labelSelector=beside%3Dyes';
/** `karmada` is neither the first nor the last. */
const members = ['alpha', 'tokyo'];
/** In every place. */
const perPlace = ['a', 'b', 'c'];

interface Listed {
  metadata: { name: string; resourceVersion: string; labels?: Record<string, string>; continue?: string };
}
interface List extends Listed {
  items: Listed[];
}

const map = (name: string) => ({ metadata: { name, labels: { beside: 'yes' } } });
const shownAs = (place: string) => (name: string) => (place === 'karmada' ? name : `${name}.clusterspace.${place}`);

/** A template and an object in each member, of the same names. */
export async function startTemplates(options: Omit<FleetOptions, 'members'> = {}): Promise<SimulatedFleet> {
  const fleet = await startFleet({ members, ...options, flags: ['--federation'] });
  for (const client of [fleet.controlPlane, ...[...fleet.members.values()].map((member) => member.client)]) {
    for (const name of perPlace) await client.create(maps, map(name));
  }
  return fleet;
}

export async function listed(config: KubeConfig, query = ours, path = maps): Promise<List> {
  const { status, body } = await requestAs(config, `${path}?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as List;
}

export const namesIn = ({ items }: List): string[] => items.map(({ metadata }) => metadata.name);
export const placesIn = ({ metadata }: Listed): Record<string, string> =>
  JSON.parse(Buffer.from(metadata.resourceVersion, 'base64url').toString());

const places = ['alpha', 'karmada', 'tokyo'];
export const everyName = places.flatMap((place) => perPlace.map(shownAs(place)));

/** Over a fleet that is started before. */
export const templatesSuite = ({ variant, cached }: Variant, started: () => SimulatedFleet) =>
  describe(`NAME-5: templates beside the objects of members, ${variant}`, () => {
    let fleet: SimulatedFleet;
    let admin: KubeConfig;
    beforeAll(async () => {
      fleet = started();
      admin = await fleet.config();
      await vi.waitFor(async () => expect(namesIn(await listed(admin))).toHaveLength(everyName.length), settled);
    });

    it('LIST-1, RV-2: in the order of names; the version of the list names the control plane', async () => {
      const before = await answersOf(fleet);
      for (const path of [maps, `/clusterspaces/all${maps}`, '/api/v1/configmaps']) {
        const list = await listed(admin, ours, path);
        expect(namesIn(list), path).toEqual(everyName);
        expect(Object.keys(placesIn(list))).toEqual(places);
      }
      // CACHE-7: where the members' parts come from is the same as without it.
      expect((await answersOf(fleet)).cached > before.cached).toBe(cached);
    });

    it('RV-3: an object shows its own version', async () => {
      const { items } = await listed(admin);
      const own = await fleet.controlPlane.get<Listed>(`${maps}/b`);
      const shown = items.find(({ metadata }) => metadata.name === 'b');
      expect(shown?.metadata.resourceVersion).toBe(own.metadata.resourceVersion);
    });

    it('LIST-5, NAME-11: Tables have a row for each, whose label names its cluster', async () => {
      const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
      const { body } = await requestAs(admin, `${maps}?${ours}`, { accept });
      const { rows } = body as { rows: { cells: string[]; object: Listed }[] };
      expect(rows.map(({ cells }) => cells[0])).toEqual(everyName);
      expect(rows.map(({ object }) => object.metadata.labels?.['clusterspace'])).toEqual(
        places.flatMap((place) => perPlace.map(() => place)),
      );
    });

    it('LIST-8: PartialObjectMetadata', async () => {
      const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
      const { body } = await requestAs(admin, `${maps}?${ours}`, { accept });
      expect(body).toMatchObject({ kind: 'PartialObjectMetadataList' });
      expect(namesIn(body as List)).toEqual(everyName);
    });

    it('NAME-11: the label clusterspace chooses the control plane, or leaves it out', async () => {
      const only = await listed(admin, `${ours}%2Cclusterspace%3Dkarmada`);
      expect([namesIn(only), Object.keys(placesIn(only))]).toEqual([perPlace, ['karmada']]);
      const others = await listed(admin, `${ours}%2Cclusterspace!%3Dkarmada`);
      expect(namesIn(others)).toEqual(everyName.filter((name) => name.includes('.clusterspace.')));
    });

    it('LIST-6: views of members alone have none of them', async () => {
      const list = await listed(admin, ours, `/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy${maps}`);
      expect(namesIn(list)).toEqual([...perPlace, ...perPlace]);
      expect(Object.keys(placesIn(list))).toEqual(members);
    });

    it.each([1, 2, 4, 5])('PAGE-1: pages of %i show all, once, at the version of the first', async (limit) => {
      const pages: List[] = [];
      let token: string | undefined;
      do {
        const next: string = token === undefined ? '' : `&continue=${encodeURIComponent(token)}`;
        const page = await listed(admin, `${ours}&limit=${limit}${next}`);
        if (token === undefined) {
          // What comes later is not in it, wherever it comes.
          await fleet.controlPlane.create(maps, map('bb'));
          await fleet.controlPlane.delete(`${maps}/bb`);
        }
        pages.push(page);
        token = page.metadata.continue;
      } while (token);
      expect(pages.flatMap(namesIn)).toEqual(everyName);
      expect(pages.slice(0, -1).every(({ items }) => items.length === limit)).toBe(true);
      expect(new Set(pages.map(({ metadata }) => metadata.resourceVersion)).size).toBe(1);
      expect(Object.keys(placesIn(pages[0]!))).toEqual(places);
    });

    it('RV-6: the version of a list can be asked for again', async () => {
      const { metadata } = await listed(admin);
      await fleet.controlPlane.create(maps, map('late'));
      await vi.waitFor(async () => expect(namesIn(await listed(admin))).toContain('late'), settled);
      const again = await listed(
        admin,
        `${ours}&resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`,
      );
      expect(namesIn(again)).toEqual(everyName);
      await fleet.controlPlane.delete(`${maps}/late`);
    });

    it('WATCH-1, WATCH-4: a watch shows what happens to templates and objects, and resumes from its bookmark', async () => {
      const { metadata } = await listed(admin);
      await using watching = await watch(
        admin,
        { labelSelector: 'beside=yes', resourceVersion: metadata.resourceVersion },
        maps,
      );
      const tokyo = fleet.members.get('tokyo')!.client;
      await fleet.controlPlane.create(maps, map('new'));
      await vi.waitFor(() => expect(watching.events).toEqual(['ADDED new']), settled);
      const made = await tokyo.create<Listed>(maps, map('new'));
      await vi.waitFor(() => expect(watching.events).toEqual(['ADDED new', 'ADDED new.clusterspace.tokyo']), settled);
      const { resourceVersion: version } = made.metadata;
      await vi.waitFor(() => expect(watching.maps.at(-1)).toMatchObject({ tokyo: version }), settled);
      expect(Object.keys(watching.maps.at(-1)!)).toEqual(places);
      const bookmark = versionOf(watching.maps.at(-1)!);
      await fleet.controlPlane.patch(`${maps}/new`, 'merge', { data: { a: '1' } });
      await fleet.controlPlane.patch(`${maps}/new`, 'merge', { metadata: { labels: { beside: 'no' } } });
      await fleet.controlPlane.delete(`${maps}/new`);
      const happened = ['MODIFIED new', 'DELETED new'];
      await vi.waitFor(() => expect(watching.events.slice(2)).toEqual(happened), settled);
      await using resumed = await watch(admin, { labelSelector: 'beside=yes', resourceVersion: bookmark }, maps);
      await vi.waitFor(() => expect(resumed.events).toEqual(happened), settled);
      await tokyo.delete(`${maps}/new`);
      const last = 'DELETED new.clusterspace.tokyo';
      await vi.waitFor(() => expect([watching.events.at(-1), resumed.events.at(-1)]).toEqual([last, last]), settled);
    });

    it('WATCH-3: the initial events have the templates, and the bookmark at their end names the control plane', async () => {
      const query = {
        labelSelector: 'beside=yes',
        sendInitialEvents: 'true',
        resourceVersionMatch: 'NotOlderThan',
        resourceVersion: '',
      };
      await using watching = await watch(admin, query, maps);
      await vi.waitFor(() => expect(watching.maps.length).toBeGreaterThan(0), settled);
      expect(watching.events.toSorted()).toEqual(everyName.map((name) => `ADDED ${name}`).toSorted());
      expect(Object.keys(watching.maps[0]!)).toEqual(places);
    });
  });
