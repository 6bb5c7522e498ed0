/** Lists, pages and named requests of one user over one product, one after the other, each judged. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '@fleet/differential/connection.ts';
import type { Random } from '@fleet/differential/random.ts';
import { memberProxy } from '@fleet/suites/fleet.ts';
import type { Asked, Judge } from './judge.ts';
import { type Cluster, clusters, type User } from './model.ts';

export const namespacePath = '/api/v1/namespaces/permissions/configmaps';

interface List {
  metadata?: { continue?: string; resourceVersion?: string };
  items?: { metadata: { name: string } }[];
}

/** By the suffix in the names of a merged view. */
const clustersIn = (list: List): Set<Cluster> =>
  new Set(
    clusters.filter((cluster) =>
      list.items?.some(({ metadata }) => metadata.name.endsWith(`.clusterspace.${cluster}`)),
    ),
  );

export class Requests {
  /** Of the last list that held all clusters: a watch may resume from it, whatever has been revoked since. */
  version: string | undefined;
  readonly #user: User;
  readonly #connection: Connection;
  readonly #judge: Judge;
  readonly #random: Random;

  constructor(user: User, connection: Connection, judge: Judge, random: Random) {
    this.#user = user;
    this.#connection = connection;
    this.#judge = judge;
    this.#random = random;
  }

  async run(signal: AbortSignal): Promise<void> {
    const kinds = [
      () => this.#list(),
      () => this.#list(),
      () => this.#pages(),
      () => this.#one('named', (cluster) => `${namespacePath}/only-${cluster}.clusterspace.${cluster}`),
      () => this.#one('found', (cluster) => `${namespacePath}/only-${cluster}`),
      () => this.#one('clusterspace', (cluster) => `/clusterspaces/${cluster}${namespacePath}`),
      () => this.#one('proxy', (cluster) => `${memberProxy(cluster)}${namespacePath}/only-${cluster}`),
    ];
    while (!signal.aborted) {
      await this.#random.pick(kinds)();
      await pause(100 + this.#random.below(150), undefined, { signal }).catch(() => {});
    }
  }

  async #ask(request: string, path: string): Promise<{ asked: Asked; status: number; text: string }> {
    const from = performance.now();
    const [bare = '', query = ''] = path.split('?');
    const { status, body, failure } = await this.#connection.send({
      method: 'GET',
      path: bare,
      query: [...new URLSearchParams(query)],
      headers: { accept: 'application/json' },
    });
    const asked = {
      request,
      user: this.#user,
      from,
      to: performance.now(),
      detail: `${path}: ${status} ${body.toString().slice(0, 200)}`,
    };
    // Nothing in this model is a reason for any other answer.
    if (![200, 403, 404, 410].includes(status)) this.#judge.unexpected(asked, `answered with ${failure ?? status}`);
    return { asked, status, text: body.toString() };
  }

  async #list(): Promise<void> {
    const { asked, status, text } = await this.#ask('list', namespacePath);
    const list: List = status === 200 ? JSON.parse(text) : {};
    const held = clustersIn(list);
    if (held.size === clusters.length) this.version = list.metadata?.resourceVersion;
    this.#judge.answer(asked, clusters, held);
  }

  /** Each page is a request of its own, and what all of them hold is one answer. */
  async #pages(): Promise<void> {
    const held = new Set<Cluster>();
    let first: number | undefined;
    for (let token: string | undefined = ''; token !== undefined; ) {
      const { asked, status, text } = await this.#ask(
        'page',
        `${namespacePath}?limit=2&continue=${encodeURIComponent(token)}`,
      );
      first ??= asked.from;
      // PAGE-3: one of its clusters was revoked since the first page, so that clients list anew.
      if (status === 410) return;
      const list: List = status === 200 ? JSON.parse(text) : {};
      const here = clustersIn(list);
      this.#judge.answer(asked, [...here], here);
      for (const cluster of here) held.add(cluster);
      token = list.metadata?.continue || undefined;
      if (token === undefined)
        this.#judge.answer(
          { ...asked, request: 'pages', from: first },
          clusters.filter((cluster) => !held.has(cluster)),
          held,
        );
    }
  }

  async #one(request: string, pathOf: (cluster: Cluster) => string): Promise<void> {
    const cluster = this.#random.pick(clusters);
    const { asked, status } = await this.#ask(request, pathOf(cluster));
    this.#judge.answer(asked, [cluster], new Set(status === 200 ? [cluster] : []));
  }
}
