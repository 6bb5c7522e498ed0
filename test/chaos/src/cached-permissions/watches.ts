/** Watches of all users over one product: each begins with the initial list, stays open for a while, and every event is judged. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Endpoint } from '@fleet/differential/endpoint.ts';
import type { Random } from '@fleet/differential/random.ts';
import { linesOf, openWatch } from '../watch-lines.ts';
import type { Focus } from './focus.ts';
import type { Asked, Judge } from './judge.ts';
import { type Cluster, clusters, keyOf, type Question, type User } from './questions.ts';
import { type Answered, type Owners, pathOf, refusalsIn, rowsOf, type View, views } from './rows.ts';

export interface WatchesOptions {
  readonly of: ReadonlyMap<User, Endpoint>;
  readonly judge: Judge;
  readonly focus: Focus;
  readonly owners: Owners;
  readonly random: Random;
}

interface Line {
  type: string;
  object: Answered & { kind: string; code?: number; metadata?: { annotations?: Record<string, string> } };
}

const forms = {
  objects: 'application/json',
  Table: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  metadata: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
} as const;

const endMark = 'k8s.io/initial-events-end';
const beginning = {
  watch: 'true',
  sendInitialEvents: 'true',
  resourceVersionMatch: 'NotOlderThan',
  allowWatchBookmarks: 'true',
};

export async function keepWatching(options: WatchesOptions, signal: AbortSignal): Promise<void> {
  const { random } = options;
  while (!signal.aborted) {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(4_000 + random.below(16_000))]);
    await new OneWatch(options).run(ends);
    await pause(100 + random.below(200), undefined, { signal }).catch(() => {});
  }
}

class OneWatch {
  readonly #options: WatchesOptions;
  readonly #question: Question;
  readonly #view: View;
  readonly #form: keyof typeof forms;
  readonly #from = performance.now();
  readonly #held = new Map<Cluster, Set<string>>();
  /** Read from the cache for certain: a live one is not ended for what is revoked, as with kube-apiserver itself. */
  readonly #cached = new Set<Cluster>();
  #isBegun = false;

  constructor(options: WatchesOptions) {
    const { random, focus } = options;
    this.#options = options;
    const picked = focus.pick(random, 0.8);
    // A name in a namespace that one cluster has is watched there alone, past the cache (NAME-10).
    this.#question = { ...picked, name: picked.namespace === '' ? picked.name : '', verb: 'watch' };
    this.#view = random.pick(['vanilla', 'vanilla', '*', 'aggregation'] as const);
    this.#form = random.pick(['objects', 'objects', 'Table', 'metadata'] as const);
  }

  /** Until the server or the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    const { of, judge } = this.#options;
    const { path, query } = pathOf(this.#question);
    const text = new URLSearchParams([...query, ...Object.entries(beginning)]);
    const url = `${views[this.#view]}${path}?${text}`;
    const response = await openWatch(of.get(this.#question.user)!, url, signal, forms[this.#form]);
    if (!response) return;
    if (response.statusCode !== 200) {
      response.resume();
      return judge.answer(this.#asked(String(response.statusCode)), response.statusCode ?? 0, new Map());
    }
    const look = setInterval(() => this.#look(), 200);
    try {
      let code: number | undefined;
      for await (const { type, object } of linesOf<Line>(response)) {
        if (type === 'ERROR') code = object.code;
        else if (type === 'BOOKMARK') this.#bookmark(object);
        else this.#event(type, object);
      }
      if (!signal.aborted) judge.end(this.#asked(`ended with ${code}`), this.#held.keys(), code);
    } catch (error) {
      if (!signal.aborted) judge.unexpected(this.#asked(), `broken off: ${error}`);
    } finally {
      clearInterval(look);
    }
  }

  #asked(detail = ''): Asked {
    const list: Question = { ...this.#question, verb: 'list' };
    const shown = `${this.#view} ${this.#form} ${keyOf(this.#question)} ${detail}`;
    const [from, to] = [this.#from, performance.now()];
    return {
      request: 'watch',
      questions: [list, this.#question],
      refusals: refusalsIn(this.#view, this.#question),
      from,
      to,
      detail: shown,
    };
  }

  #bookmark({ metadata, rows }: Line['object']): void {
    const { judge } = this.#options;
    const annotations = metadata?.annotations ?? rows?.[0]?.object.metadata.annotations;
    if (this.#isBegun || annotations?.[endMark] !== 'true') return;
    this.#isBegun = true;
    const asked = this.#asked('initial events');
    judge.answer(asked, 200, this.#held);
    for (const cluster of this.#held.keys())
      if (judge.requires(cluster, { ...asked, from: this.#from - 1_000 })) this.#cached.add(cluster);
  }

  #event(type: string, object: Line['object']): void {
    const { judge } = this.#options;
    for (const [cluster, rows] of rowsOf(object, this.#options.owners)) {
      const isInitial = !this.#isBegun;
      if (isInitial) this.#held.set(cluster, rows.union(this.#held.get(cluster) ?? new Set()));
      else if (this.#cached.has(cluster) || !this.#held.has(cluster))
        judge.event(this.#later(`${type} ${[...rows]}`), cluster);
    }
  }

  #look(): void {
    for (const cluster of clusters)
      if (this.#cached.has(cluster) && !this.#options.judge.open(this.#later(), cluster)) this.#cached.delete(cluster);
  }

  /** Once it has begun, nothing but the permission to watch counts. */
  #later(detail = ''): Asked {
    return { ...this.#asked(detail), questions: [this.#question] };
  }
}
