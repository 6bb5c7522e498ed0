/** Reads the members for one page of a merged list (PAGE-1): decides which members are read, and how many items of each. */

import { combineVersions } from '../present/versions.ts';
import type { ClusterName } from '../target/target.ts';
import { pageSize } from './live-source.ts';
import { aheadOf, askAll, type OpenAsk, type OpenedList } from './open-list.ts';
import { countItems, Page, type PagePart } from './page.ts';
import { PageMembers } from './page-members.ts';
import type { PagePosition } from './page-token.ts';
import { type Missing, settle, warningsOf } from './settle.ts';
import { expiredPage, gone, type LaterRules, settleLater } from './settle-later.ts';
import type { ListSource, SourceList } from './source.ts';

export interface PageAsk extends OpenAsk {
  limit: number;
  /** Writes the token of a position in this list. */
  tokenOf(position: PagePosition): string;
}

/**
 * Members are read with the client's limit from the start: most lists fit into one page, and so each member gets only one
 * request. Items after the end of the page are counted and discarded.
 */
export async function openFirstPage(sources: readonly ListSource[], ask: PageAsk): Promise<OpenedList> {
  const limits = limitsOf(sources, ask.limit);
  const answers = await askAll(sources, ask, ({ cluster }) => ask.query.begin(cluster, limits.get(cluster)));
  const { lists, missing, warnings } = settle(answers, ask.partial);
  const parts = partsOf(lists, limits, ask);
  return { ...pageOf(parts, new PageMembers(sources, ask, new Map(), firstRules), ask), missing, warnings };
}

export function openLaterPage(sources: readonly ListSource[], ask: PageAsk, from: PagePosition): Promise<OpenedList> {
  const here = new Set(sources.map(({ cluster }) => cluster));
  for (const cluster of from.versions.keys()) if (!here.has(cluster)) throw gone(cluster);
  return from.inconsistent ? openInconsistentPage(sources, ask, from) : openNextPage(sources, ask, from);
}

/** Like a first page over the remaining clusters. From here on the list is consistent again. */
async function openInconsistentPage(
  sources: readonly ListSource[],
  ask: PageAsk,
  from: PagePosition,
): Promise<OpenedList> {
  const left = new Map(from.left.map(({ cluster }, index) => [cluster, index === 0 ? from.own : undefined]));
  const asked = sources.filter(({ cluster }) => left.has(cluster));
  const limits = limitsOf(asked, ask.limit);
  const answers = await askAll(asked, ask, ({ cluster }) => {
    const own = left.get(cluster);
    return own ? ask.query.after(own, limits.get(cluster)) : ask.query.begin(cluster, limits.get(cluster));
  });
  const rules = laterRules(ask, from, false);
  const { lists } = settleLater(answers, rules);
  const passed = new Map([...from.versions].filter(([cluster]) => !left.has(cluster)));
  const parts = partsOf(lists, limits, ask).map((part) => ({ ...part, from: left.get(part.cluster) }));
  return {
    ...pageOf(parts, new PageMembers(sources, ask, passed, rules), ask, from),
    missing: [],
    warnings: warningsOf(lists),
  };
}

/** The number of items of each cluster is known from the first page, so that only the needed members are read. */
async function openNextPage(sources: readonly ListSource[], ask: PageAsk, from: PagePosition): Promise<OpenedList> {
  // In a Table the other clusters count more than the unreachable one. A list for programs must be complete at its version.
  const rules = laterRules(ask, from, ask.partial && ask.form === 'Table');
  const members = new PageMembers(sources, ask, from.versions, rules);
  let parts = from.left.map(
    ({ cluster, items }, index): PagePart => ({
      cluster,
      from: index === 0 ? from.own : undefined,
      opened: undefined,
      items,
    }),
  );
  const missing: Missing[] = [];
  const warnings: string[] = [];
  for (;;) {
    const needed = plan(parts, ask.limit).filter(({ part }) => !part.opened);
    const answers = await Promise.all(
      needed.map(async ({ part, limit }) => ({
        cluster: part.cluster,
        answer: await members.list(part, part.from, limit),
      })),
    );
    const settled = settleLater(answers, rules);
    warnings.push(...warningsOf(settled.lists));
    for (const { cluster, answer } of settled.lists) {
      const { part, limit } = needed.find(({ part }) => part.cluster === cluster)!;
      part.opened = { list: aheadOf(answer, ask), limit };
    }
    if (settled.missing.length === 0) break;
    missing.push(...settled.missing);
    parts = parts.filter(({ cluster }) => !missing.some((one) => one.cluster === cluster));
    if (parts.length === 0) settleLater(answers, { ...rules, canMiss: false });
  }
  const without = missing.map(
    ({ cluster, reason }) => `cluster "${cluster}" is missing from the rest of this list: it ${reason}`,
  );
  return { ...pageOf(parts, members, ask, from), missing, warnings: [...without, ...warnings] };
}

/** The parts that fill the page, and how many items of each are needed. */
function plan(parts: readonly PagePart[], limit: number): { part: PagePart; limit: number }[] {
  const planned = [];
  let remaining = limit;
  for (const part of parts) {
    if (remaining <= 0) break;
    planned.push({ part, limit: remaining });
    remaining -= part.items ?? remaining;
  }
  return planned;
}

/** The first members are read with the page's whole limit: so in a small fleet each page takes one request per member. */
const askedForAll = 4;
/** At least this many items of each further one: kinds with a few objects per cluster need no second request. */
const leastShare = 10;

/**
 * After the first, members are read with one request at most and, if they are many, with a share of the limit: more is read later if
 * needed. A page must not make each of hundreds of members read a whole page's items.
 */
function limitsOf(sources: readonly ListSource[], limit: number): ReadonlyMap<ClusterName, number> {
  const most = Math.min(limit, pageSize);
  const share = Math.min(most, Math.max(leastShare, Math.ceil((2 * most) / sources.length)));
  const limitOf = (index: number) => (index < askedForAll ? most : share);
  return new Map(sources.map(({ cluster }, index) => [cluster, index === 0 ? limit : limitOf(index)]));
}

/** Members that are certainly after the end of the page are counted, but not read ahead. */
function partsOf(lists: OpenedList['lists'], limits: ReadonlyMap<ClusterName, number>, ask: PageAsk): PagePart[] {
  let sure = 0;
  return lists.map(({ cluster, answer }) => {
    const limit = limits.get(cluster)!;
    const part = { cluster, from: undefined, items: undefined };
    if (sure >= ask.limit) {
      const counted = countItems(answer, limit);
      // Awaited later, or ended by the request's signal. Until then a failure must not count as unhandled.
      counted.catch(() => {});
      return { ...part, opened: { list: answer, limit }, counted };
    }
    if (answer.head.metadata?.continue) sure += limit;
    return { ...part, opened: { list: aheadOf(answer, ask), limit } };
  });
}

/** A version that this page has just read counts as always available. */
const firstRules: LaterRules = { canMiss: false, expired: (_, error) => error };

const laterRules = (ask: PageAsk, from: PagePosition, canMiss: boolean): LaterRules => ({
  canMiss,
  expired(cluster, error) {
    const [first] = from.left;
    const lost = from.own !== undefined && cluster === first?.cluster;
    if (lost && !error.continueToken) return expiredPage(undefined);
    const own = lost ? error.continueToken : from.own;
    return expiredPage(ask.tokenOf({ ...from, own, inconsistent: true }));
  },
});

/** The page's head is written before later parts are opened. */
function pageOf(parts: readonly PagePart[], members: PageMembers, ask: PageAsk, from?: PagePosition) {
  const page = new Page(ask.limit, members);
  const first = parts[0]!.opened!.list;
  const lists = parts.map((part) => ({
    cluster: part.cluster,
    answer: {
      is: 'list',
      get head() {
        return (part.opened?.list ?? first).head;
      },
      items: page.itemsOf(part),
      end: () => (part.opened?.list ?? first).end(),
    } satisfies SourceList,
  }));
  return {
    lists,
    columns: from?.columns,
    async metadata(columns?: PagePosition['columns']) {
      const { left, own } = await page.rest();
      const versions = members.versions(parts);
      const resourceVersion = combineVersions(versions);
      if (left.length === 0) return { resourceVersion };
      const counts = left.map(({ items }) => items);
      const remaining = counts.reduce(
        (sum, items) => (sum === undefined || items === undefined ? undefined : sum + items),
        0,
      );
      return {
        resourceVersion,
        continue: ask.tokenOf({ versions, left, own, columns }),
        remainingItemCount: remaining,
      };
    },
  };
}
