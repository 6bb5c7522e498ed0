/** Plays rows of the tables over members, and holds what happened against the row's words. */

import { isCached } from '@fleet/bed/cached/everything.ts';
import { expect } from 'vitest';
import type { Kind, Row, Spelling } from './row.ts';
import { type Asked, type Outcome, type Places, play, type Scene } from './stage.ts';

export interface Stage {
  product: Asked;
  places: Places;
}

/** How the client calls an object where its cluster is not in the URL: by suffixed name, or by a plain one. */
export type Naming = 'suffixed' | 'plain';

interface Named {
  kind: string;
  metadata: { name: string; resourceVersion: string };
}

export interface Playing {
  sceneOf(kind: Kind, row: Row, spell: Spelling | undefined, naming?: Naming): Scene;
  /** What each place is to see and to have, by the row's words. */
  expected(scene: Scene): Omit<Outcome, 'answer'> & { code: number };
  playRow(kind: Kind, row: Row, spell?: Spelling, naming?: Naming): Promise<void>;
  /** The next scene is not about this member. */
  skip(member: string): void;
}

const karmada = 'karmada';

/** `federation`: "all clusters" are those with the control plane, whose objects have the plain names. */
export function playing(stage: () => Stage, members: readonly string[], federation: boolean): Playing {
  let scenes = 0;
  const all = federation ? [...members, karmada].sort() : members;

  /** Every scene has names of its own, and the next member for `foo` and for `yy`. */
  const sceneOf: Playing['sceneOf'] = (kind, row, spell, naming = 'suffixed') => {
    const name = `row-${++scenes}`;
    const member = members[scenes % members.length]!;
    const { clusterspace, operation, path } = row;
    const isOverAll = clusterspace === undefined || clusterspace === 'all';
    const isPlain = isOverAll && naming === 'plain';
    const place = clusterspace === karmada || isPlain ? karmada : member;
    const shown = isOverAll && !isPlain ? `${name}.clusterspace.${member}` : name;
    const plain = path.replace(/\/name$/, `/${shown}`);
    const url = spell && clusterspace ? spell(plain, clusterspace === 'foo' ? member : clusterspace) : plain;
    const isEverywhere = isOverAll && (operation === 'list' || operation === 'deletecollection');
    return { kind, row, url, name, shown, target: isEverywhere ? undefined : place };
  };

  const expected: Playing['expected'] = ({ row, name, target }) => {
    const { places } = stage();
    const { operation } = row;
    const watched = Object.keys(places).filter((place) => places[place]!.watch);
    const seenBy = (expectedOf: (place: string) => string[]) =>
      Object.fromEntries(watched.map((place) => [place, expectedOf(place)]));
    const asItWas = Object.fromEntries(Object.keys(places).map((place) => [place, 'as it was' as const]));
    if (target === undefined) {
      const isAsked = (place: string) => operation === 'list' && !isCached && all.includes(place);
      const seen = seenBy((place) => (isAsked(place) ? ['list'] : []));
      return { code: operation === 'list' ? 200 : 405, seen, state: asItWas };
    }
    const isCollection = operation === 'list' || operation === 'deletecollection';
    const isUnnamed = isCollection || (operation === 'create' && !places[target]!.seesBodies);
    const seen = seenBy((place) => (place === target ? [isUnnamed ? operation : `${operation} ${name}`] : []));
    const change = operation.startsWith('delete')
      ? 'gone'
      : ['get', 'list'].includes(operation)
        ? 'as it was'
        : 'touched';
    return { code: operation === 'create' ? 201 : 200, seen, state: { ...asItWas, [target]: change } };
  };

  /** A list shows what the places themselves list, those of members suffixed where it is of many, in the order of their names. */
  const expectList = async (scene: Scene, body: string): Promise<void> => {
    const { metadata, items } = JSON.parse(body) as Named & { items: Named[] };
    const { row, target, kind } = scene;
    const own = async (place: string) => {
      const list = await stage().places[place]!.api.object<{ items: Named[] }>(row.path);
      const isPlain = target !== undefined || place === karmada;
      return list.items.map(({ metadata: { name } }) => (isPlain ? name : `${name}.clusterspace.${place}`));
    };
    const expectedNames = (await Promise.all((target ? [target] : all).map(own))).flat();
    expect(items.map((item) => item.metadata.name)).toEqual(expectedNames);
    expect(expectedNames.length, kind.resource).toBeGreaterThan(0);
    if (target) expect(metadata.resourceVersion).toMatch(/^\d+$/);
    else
      expect(Object.keys(JSON.parse(Buffer.from(metadata.resourceVersion, 'base64url').toString()))).toEqual([...all]);
  };

  return {
    sceneOf,
    expected,
    async playRow(kind, row, spell, naming) {
      const scene = sceneOf(kind, row, spell, naming);
      const { product, places } = stage();
      const { answer, seen, state } = await play(product, places, scene);
      expect({ code: answer.code, seen, state }, answer.body).toEqual(expected(scene));
      if (row.operation === 'list') await expectList(scene, answer.body);
      else if (answer.code === 405) expect(JSON.parse(answer.body).message).toContain('name one cluster');
      else if (['get', 'create', 'update', 'patch'].includes(row.operation)) {
        expect((JSON.parse(answer.body) as Named).metadata.name).toBe(scene.shown);
      }
    },
    skip(member) {
      while (members[(scenes + 1) % members.length] === member) scenes++;
    },
  };
}
