/** Lists and pages of all users over one product, one after the other, each judged. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '@fleet/differential/connection.ts';
import type { Random } from '@fleet/differential/random.ts';
import type { Focus } from './focus.ts';
import type { Asked, Judge } from './judge.ts';
import { type Cluster, clusters, groupsOf, keyOf, type Question, type User } from './questions.ts';
import {
  type Answered,
  type Form,
  forms,
  memberRows,
  type Owners,
  pathOf,
  type Rows,
  refusalsIn,
  rowsOf,
  type View,
  views,
} from './rows.ts';

export interface RequestsOptions {
  readonly of: ReadonlyMap<User, Connection>;
  /** The members themselves, as one who may impersonate: each list is sent there, too. */
  readonly direct?: Readonly<Record<Cluster, Connection>>;
  readonly judge: Judge;
  readonly focus: Focus;
  readonly owners: Owners;
  readonly random: Random;
  /** Of requests that are about what is in focus. */
  readonly share: number;
  /** Between two requests, in milliseconds. */
  readonly rest: number;
}

interface Sent {
  asked: Asked;
  status: number;
  rows: Rows;
  more: string | undefined;
}

const pageSize = '3';

export class Requests {
  readonly #options: RequestsOptions;

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { focus, random, rest, share } = this.#options;
    while (!signal.aborted) {
      const question: Question = { ...focus.pick(random, share), verb: 'list' };
      const view = random.weighted<View>([
        [4, 'vanilla'],
        [1, 'all'],
        [2, '*'],
        [2, 'aggregation'],
      ]);
      const form = random.pick(['objects', 'objects', 'Table', 'metadata'] as const);
      await (random.chance(0.2) ? this.#pages(question, view, form) : this.#list(question, view, form));
      await pause(rest / 2 + random.below(rest), undefined, { signal }).catch(() => {});
    }
  }

  async #list(question: Question, view: View, form: Form): Promise<void> {
    const { judge, direct, random } = this.#options;
    const older: [string, string][] = random.chance(0.25) ? [['resourceVersion', '0']] : [];
    const [{ asked, status, rows }, ...beside] = await Promise.all([
      this.#send('list', question, view, form, older),
      ...(direct ? clusters.map((cluster) => this.#ask(direct[cluster], question, form)) : []),
    ]);
    judge.answer(asked, status, rows);
    for (const [index, one] of beside.entries()) {
      // Both were under way for as long as the slower one.
      const both = { ...asked, from: Math.min(asked.from, one.from), to: Math.max(asked.to, one.to) };
      judge.direct(both, clusters[index]!, one.status, one.rows, rows);
    }
  }

  /** Each page is a request of its own, and what all of them hold is one answer. */
  async #pages(question: Question, view: View, form: Form): Promise<void> {
    const { judge } = this.#options;
    const held = new Map<Cluster, Set<string>>();
    let first: number | undefined;
    for (let token: string | undefined = ''; token !== undefined; ) {
      const next: [string, string][] = token === '' ? [] : [['continue', token]];
      const { asked, status, rows, more } = await this.#send('page', question, view, form, [
        ['limit', pageSize],
        ...next,
      ]);
      first ??= asked.from;
      for (const [cluster, those] of rows) {
        judge.rows(asked, cluster, those, true);
        held.set(cluster, those.union(held.get(cluster) ?? new Set()));
      }
      token = more || undefined;
      if (token === undefined) judge.pages({ ...asked, from: first }, status, held);
    }
  }

  async #send(
    request: string,
    question: Question,
    view: View,
    form: Form,
    more: readonly [string, string][],
  ): Promise<Sent> {
    const { path, query } = pathOf(question);
    const from = performance.now();
    const { status, body, failure } = await this.#options.of.get(question.user)!.send({
      method: 'GET',
      path: `${views[view]}${path}`,
      query: [...query, ...more],
      headers: { accept: forms[form] },
    });
    this.#options.judge.pace.note(from, performance.now());
    const text = body.toString();
    const shown = `${view} ${form} ${keyOf(question)} ${JSON.stringify(more)}: ${failure ?? status} ${text.slice(0, 160)}`;
    const asked: Asked = {
      request,
      questions: [question],
      refusals: refusalsIn(view, question),
      from,
      to: performance.now(),
      detail: shown,
    };
    const answered: Answered = status === 200 ? JSON.parse(text) : {};
    try {
      return { asked, status, rows: rowsOf(answered, this.#options.owners), more: answered.metadata?.continue };
    } catch (cause) {
      throw new Error(shown, { cause });
    }
  }

  async #ask(to: Connection, question: Question, form: Form) {
    const { path, query } = pathOf(question);
    const from = performance.now();
    const groups = groupsOf(question.user);
    const { status, body } = await to.send({
      method: 'GET',
      path,
      query,
      headers: {
        accept: forms[form],
        'impersonate-user': question.user,
        // The same header several times is one to undici only as a list.
        ...(groups.length > 0 ? { 'impersonate-group': groups as unknown as string } : {}),
      },
    });
    this.#options.judge.pace.note(from, performance.now());
    const answered: Answered = status === 200 ? JSON.parse(body.toString()) : {};
    return { from, to: performance.now(), status, rows: memberRows(answered) };
  }
}
