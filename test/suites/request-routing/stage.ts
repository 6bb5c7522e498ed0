/** Runs one row over members that all have an object of the same name, and returns what each place saw and has. */

import type { Answer, Api, AskOptions } from '@fleet/bed/api.ts';
import { isCached } from '@fleet/bed/cached/everything.ts';
import { until } from '@fleet/bed/until.ts';
import type { Kind, KubeObject, Row } from './row.ts';

/** A request that a place has seen. */
export interface SeenRequest {
  /** Whom it was made for. */
  user: string | undefined;
  verb: string;
  resource: string | undefined;
  name: string | undefined;
}

export interface Asked {
  api: Pick<Api, 'ask' | 'object'>;
}

export interface Staged extends Asked {
  /** Starts looking; the returned function returns all that has ended since. Undefined where there is no witness. */
  watch: (() => Promise<() => Promise<SeenRequest[]>>) | undefined;
  /** The witness knows the name in the body of a create. */
  seesBodies?: boolean;
}

/** By name, with the control plane as `karmada`. */
export type Places = Readonly<Record<string, Staged>>;

export interface Scene {
  kind: Kind;
  row: Row;
  /** As the client writes it. */
  url: string;
  /** Of the objects that the row is about: one in every place. */
  name: string;
  /** What the client calls it. */
  shown: string;
  /** The place that the row means, where it means one. */
  target: string | undefined;
}

export interface Outcome {
  answer: Answer;
  /** By place with a witness: the verb and the name of each request for such resources that was made as the user. */
  seen: Record<string, string[]>;
  /** By place: how the object stands there afterwards. */
  state: Record<string, 'as it was' | 'touched' | 'gone'>;
}

const touched = { touched: 'yes' };

function request({ kind, row, shown }: Scene, current: KubeObject | undefined): AskOptions {
  const { method, operation } = row;
  const object = kind.make(shown);
  const labels = { ...object.metadata.labels, ...touched };
  switch (operation) {
    case 'create':
      return { method, body: { ...object, metadata: { ...object.metadata, labels } } };
    case 'update':
      return { method, body: { ...(current ?? object), metadata: { ...(current ?? object).metadata, labels } } };
    case 'patch':
      return { method, body: { metadata: { labels: touched } }, contentType: 'application/merge-patch+json' };
    default:
      return { method };
  }
}

/** Only what the row made may go. */
const selected = ({ row, url, name }: Scene): string =>
  row.operation === 'deletecollection' ? `${url}${url.includes('?') ? '&' : '?'}labelSelector=row%3D${name}` : url;

async function stateOf(place: Asked, { kind, name }: Scene): Promise<Outcome['state'][string]> {
  const { code, body } = await place.api.ask(`${kind.collection}/${name}`);
  if (code === 404) return 'gone';
  return (JSON.parse(body) as KubeObject).metadata.labels['touched'] ? 'touched' : 'as it was';
}

async function plant(places: Places, { kind, name, row, target }: Scene): Promise<void> {
  const making = Object.entries(places).map(async ([place, { api }]) => {
    if (row.operation === 'create' && place === target) return;
    await api.object(kind.collection, { method: 'POST', body: kind.make(name) });
  });
  await Promise.all(making);
}

/** What is written past the product comes into its cache a little later (CACHE-7). */
async function untilShown(product: Asked, places: Places, { kind, name }: Scene): Promise<void> {
  const names = Object.keys(places).filter((place) => place !== 'karmada');
  await until(`${name} is shown`, async () => {
    const { items } = await product.api.object<{ items: KubeObject[] }>(kind.collection);
    const shown = new Set(items.map(({ metadata }) => metadata.name));
    return names.every((place) => shown.has(`${name}.clusterspace.${place}`));
  });
}

export async function play(product: Asked, places: Places, scene: Scene): Promise<Outcome> {
  const { kind, row, target } = scene;
  await plant(places, scene);
  if (isCached && target === undefined && row.operation === 'list') await untilShown(product, places, scene);
  const url = selected(scene);
  const updatesByVersion = row.operation === 'update' && kind.isQuiet;
  const current = updatesByVersion ? await product.api.object<KubeObject>(url) : undefined;
  const names = Object.keys(places);
  const watched = names.filter((name) => places[name]!.watch);
  const watching = await Promise.all(watched.map((name) => places[name]!.watch!()));
  const answer = await product.api.ask(url, request(scene, current));
  const entries = await Promise.all(watching.map((seen) => seen()));
  const states = await Promise.all(names.map((name) => stateOf(places[name]!, scene)));
  const seen = entries.map((all) =>
    all
      .filter(({ user, resource }) => user === 'fleet:admin' && resource === kind.resource)
      .map(({ verb, name = '' }) => `${verb} ${name}`.trim())
      // Of many members each may be asked, or its cache.
      .filter((line) => !isCached || target !== undefined || line !== 'list'),
  );
  return {
    answer,
    seen: Object.fromEntries(watched.map((name, at) => [name, seen[at]!])),
    state: Object.fromEntries(names.map((name, at) => [name, states[at]!])),
  };
}
