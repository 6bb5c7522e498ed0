/** Reads further items of a member for one page, at the version that the list has of it. */

import type { Form } from '@fleet/kube/negotiate.ts';
import type { ClusterName } from '../target/target.ts';
import type { OpenAsk } from './open-list.ts';
import type { PagePart, PageReader } from './page.ts';
import { type LaterRules, settleLater } from './settle-later.ts';
import type { ListAnswer, ListSource, SourceList } from './source.ts';

/** Only the metadata is needed: this form is short, and has it first, whatever the resource. */
const shortForm: Form = 'PartialObjectMetadataList';

export class PageMembers implements PageReader {
  private readonly sources: ReadonlyMap<ClusterName, ListSource>;
  private readonly ask: OpenAsk;
  private readonly known: ReadonlyMap<ClusterName, string>;
  private readonly rules: LaterRules;

  /** `known`: the versions from earlier pages. */
  constructor(
    sources: readonly ListSource[],
    ask: OpenAsk,
    known: ReadonlyMap<ClusterName, string>,
    rules: LaterRules,
  ) {
    this.sources = new Map(sources.map((source) => [source.cluster, source]));
    this.ask = ask;
    this.known = known;
    this.rules = { ...rules, canMiss: false };
  }

  list(part: PagePart, from: string | undefined, limit: number, form = this.ask.form): Promise<ListAnswer> {
    const { query, signal } = this.ask;
    const atMost = Number.isFinite(limit) ? limit : undefined;
    const asked = from ? query.after(from, atMost) : query.at(this.versionOf(part), atMost);
    return this.sources.get(part.cluster)!.list({ query: asked, form, signal });
  }

  async open(part: PagePart, from: string | undefined, limit: number, form?: Form): Promise<SourceList> {
    const answer = await this.list(part, from, limit, form);
    const { lists } = settleLater([{ cluster: part.cluster, answer }], this.rules);
    const list = lists[0]!.answer;
    if (form === undefined) part.opened ??= { list, limit };
    return list;
  }

  async tokenBehind(part: PagePart, from: string | undefined, count: number): Promise<string | undefined> {
    const list = await this.open(part, from, count, shortForm);
    // Read to its end, so that the connection can be reused.
    for await (const _ of list.items);
    return list.end().metadata?.continue;
  }

  async leadsToSomething(part: PagePart, token: string): Promise<boolean> {
    const list = await this.open(part, token, 1, shortForm);
    let found = 0;
    for await (const items of list.items) found += items.length;
    return found > 0;
  }

  /** Called after all items: some lists end with their version. */
  versions(parts: readonly PagePart[]): ReadonlyMap<ClusterName, string> {
    return new Map([...this.known, ...parts.map((part) => [part.cluster, this.versionOf(part)] as const)]);
  }

  private versionOf({ cluster, opened }: PagePart): string {
    const read = opened && (opened.list.head.metadata ?? opened.list.end().metadata);
    return this.known.get(cluster) ?? read?.resourceVersion ?? '';
  }
}
