import { bodyOf } from '@fleet/client/reply-body.ts';
import type { Form } from '@fleet/kube/negotiate.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVersion } from '../present/versions.ts';
import { bodyText } from '../testing/body-text.ts';
import { FakeMember, type ListForm } from '../testing/fake-member.ts';
import { silence, statusReply } from '../testing/fake-upstream.ts';
import { ByteBudget } from './byte-budget.ts';
import { LiveSource } from './live-source.ts';
import { mergeList } from './merge-list.ts';
import { PageTokens } from './page-token.ts';
import type { ListSource } from './source.ts';

type Members = Record<string, FakeMember>;

const names = (count: number, prefix = 'p') =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(4, '0')}`);
const fleetOf = (...counts: number[]): Members =>
  Object.fromEntries(counts.map((count, index) => [`m${index + 1}`, new FakeMember(names(count))]));

interface Answer {
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
  shown: string[];
  warnings: string[];
}

interface Asking {
  form?: Form;
  partial?: boolean;
  tokens?: PageTokens;
  path?: string;
  without?: string;
  /** The warning of each member about its list. */
  warning?: string;
}

const tokens = new PageTokens(Buffer.alloc(32, 1));

const warning = (source: ListSource, text: string | undefined): ListSource => ({
  cluster: source.cluster,
  async list(asked) {
    const answer = await source.list(asked);
    return answer.is === 'list' && text ? { ...answer, warning: `${source.cluster} ${text}` } : answer;
  },
});

async function ask(members: Members, query: string, asking: Asking = {}): Promise<Answer> {
  const { form = 'object', partial = false, path = '/api/v1/pods' } = asking;
  const sources = Object.entries(members)
    .filter(([cluster]) => cluster !== asking.without)
    .map(
      ([cluster, { upstream }]): ListSource =>
        warning(
          new LiveSource({ cluster, upstream, streams: upstream, path, headers: {}, headDeadline: 200 }),
          asking.warning,
        ),
    );
  const reply = await mergeList(sources, {
    path,
    query,
    form,
    shape: { view: { names: 'name-suffixed' }, isEvent: false, asked: undefined },
    partial,
    onMissing: () => {},
    budget: new ByteBudget(1024),
    pageTokens: asking.tokens ?? tokens,
    signal: new AbortController().signal,
  });
  const list = JSON.parse(await bodyText(reply));
  const items: { metadata: { name: string } }[] = list.items ?? list.rows.map((row: { object: object }) => row.object);
  return {
    metadata: list.metadata,
    shown: items.map(({ metadata }) => metadata.name.replace('.clusterspace.', '@')),
    warnings: [reply.headers['warning'] ?? []].flat(),
  };
}

/** All pages, with whatever happens between them. */
async function pages(members: Members, limit: number, more = '', between = () => {}, asking: Asking = {}) {
  const all: Answer[] = [];
  let next: string | undefined = '';
  while (next !== undefined) {
    const answer: Answer = await ask(members, `limit=${limit}${more}${next}`, asking);
    all.push(answer);
    between();
    next = answer.metadata.continue ? `&continue=${answer.metadata.continue}` : undefined;
  }
  return all;
}

const expected = (members: Members) =>
  Object.entries(members).flatMap(([cluster, { selected }]) => selected.map((name) => `${name}@${cluster}`));
const asked = (member: FakeMember) =>
  member.upstream.paths.map((path) => path.replace('GET /api/v1/pods?', '').replace(/continue=[^&]+/, 'continue=…'));

describe('PAGE-1: pages over all clusters', () => {
  it.each(['object', 'Table', 'PartialObjectMetadataList'] as const)(
    '%s: full, in order, with a count',
    async (form) => {
      const all = await pages(fleetOf(3, 0, 4, 2), 2, '', undefined, { form });
      expect(all.map(({ shown }) => shown.length)).toEqual([2, 2, 2, 2, 1]);
      expect(all.flatMap(({ shown }) => shown)).toEqual(expected(fleetOf(3, 0, 4, 2)));
      expect(all.map(({ metadata }) => metadata.remainingItemCount)).toEqual([7, 5, 3, 1, undefined]);
    },
  );

  it('hold what the clusters had at the first page, whatever happens between them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom<ListForm>('built-in', 'custom'),
        fc.option(fc.func(fc.boolean())),
        fc.constantFrom<Form>('object', 'Table'),
        async (counts, limit, listForm, matches, form) => {
          const members = fleetOf(...counts);
          for (const member of Object.values(members)) {
            member.form = listForm;
            member.matches = matches ?? undefined;
          }
          const complete = expected(members);
          let round = 0;
          const churn = () => {
            for (const member of Object.values(members)) {
              member.write([...member.names.filter((_, n) => n % 2 === round % 2), `n${round++}`]);
            }
          };
          const all = await pages(members, limit, matches ? '&labelSelector=a' : '', churn, { form });
          expect(all.flatMap(({ shown }) => shown)).toEqual(complete);
          expect(new Set(all.map(({ metadata }) => metadata.resourceVersion)).size).toBe(1);
          const sizes = all.map(({ shown }) => shown.length);
          expect(sizes.slice(0, -1).every((size) => size === limit)).toBe(true);
          if (complete.length > 0) expect(sizes.at(-1)).toBeGreaterThan(0);
          let sent = 0;
          for (const { shown, metadata } of all) {
            sent += shown.length;
            const left = complete.length - sent;
            if (metadata.remainingItemCount !== undefined) expect(metadata.remainingItemCount).toBe(left);
            else expect(left === 0 || matches !== null).toBe(true);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('RV-2: the version names all clusters from the first page on', async () => {
    const [first] = await pages(fleetOf(9, 1, 9), 2);
    expect(readVersion(first!.metadata.resourceVersion)).toEqual({
      is: 'map',
      of: new Map([
        ['m1', '1'],
        ['m2', '1'],
        ['m3', '1'],
      ]),
    });
  });

  it('the last page of custom resources has an empty token, as Kubernetes shows it', async () => {
    const members = fleetOf(1, 2);
    for (const member of Object.values(members)) member.form = 'custom';
    const tokensOf = async (form: Form) =>
      (await pages(members, 2, '', undefined, { form })).map((page) => page.metadata.continue);
    expect(await tokensOf('object')).toEqual([expect.stringMatching(/./), '']);
    expect(await tokensOf('Table')).toEqual([expect.stringMatching(/./), undefined]);
  });

  it('LIST-1: what fits into one page costs one request to each', async () => {
    const members = fleetOf(3, 0, 4);
    expect((await ask(members, 'limit=500')).metadata.continue).toBeUndefined();
    for (const member of Object.values(members)) expect(asked(member)).toEqual(['limit=500']);
  });

  it('later pages ask just those that are needed, for just what is needed', async () => {
    const members = fleetOf(3, 1, 9, 5);
    await pages(members, 5);
    const exact = 'resourceVersion=1&resourceVersionMatch=Exact';
    expect(asked(members['m1']!)).toEqual(['limit=5']);
    expect(asked(members['m2']!)).toEqual(['limit=5']);
    expect(asked(members['m3']!)).toEqual(['limit=5', `limit=1&${exact}`, 'limit=5&continue=…', 'limit=5&continue=…']);
    expect(asked(members['m4']!)).toEqual(['limit=5', `limit=2&${exact}`, 'limit=5&continue=…']);
  });

  it('a page larger than what members are asked for at once', async () => {
    const members = fleetOf(700, 1300, 600);
    const all = await pages(members, 1100);
    expect(all.map(({ shown }) => shown.length)).toEqual([1100, 1100, 400]);
    expect(all.flatMap(({ shown }) => shown)).toEqual(expected(members));
    expect(all.map(({ metadata }) => metadata.remainingItemCount)).toEqual([1500, 400, undefined]);
    expect(Math.max(...asked(members['m2']!).map((query) => Number(/limit=(\d+)/.exec(query)![1])))).toBe(500);
  });

  it('the rest at once, for who continues without a limit', async () => {
    const members = fleetOf(3, 4);
    const { metadata } = await ask(members, 'limit=2');
    expect((await ask(members, `continue=${metadata.continue}`)).shown).toEqual(expected(members).slice(2));
  });

  it('a token that leads to nothing is not given out', async () => {
    const members = fleetOf(6, 0);
    members['m1']!.matches = (name) => name < 'p0002';
    const all = await pages(members, 2, '&labelSelector=a');
    expect(all.map(({ shown }) => shown.length)).toEqual([2]);
    expect(all[0]!.metadata).not.toHaveProperty('continue');
  });

  it('members that know neither versions nor pages are shown whole', async () => {
    const members = fleetOf(3, 4, 2);
    for (const member of Object.values(members)) member.form = 'unversioned';
    const all = await pages(members, 5);
    expect(all.flatMap(({ shown }) => shown)).toEqual(expected(members));
  });
});

describe('PAGE-2: the token', () => {
  it('outlives a restart', async () => {
    const members = fleetOf(3, 4);
    const { metadata } = await ask(members, 'limit=2');
    const restarted = new PageTokens(Buffer.alloc(32, 1));
    expect((await ask(members, `limit=9&continue=${metadata.continue}`, { tokens: restarted })).shown).toHaveLength(5);
  });

  it('is 400 when forged, damaged, or given for something else', async () => {
    const members = fleetOf(3, 4);
    const { metadata } = await ask(members, 'limit=2');
    const given = metadata.continue!;
    const flipped = `${given.slice(0, 30)}${given[30] === 'A' ? 'B' : 'A'}${given.slice(31)}`;
    const otherLists: [string, Asking][] = [
      [flipped, {}],
      [given.slice(0, -4), {}],
      [`${given}=`, {}],
      [`${given}.`, {}],
      ['x', {}],
      ['x&resourceVersion=5', {}],
      [`${given}&labelSelector=a`, {}],
      [`${given}&fieldSelector=a`, {}],
      [given, { path: '/api/v1/configmaps' }],
      [given, { tokens: new PageTokens(Buffer.alloc(32, 2)) }],
    ];
    const before = members['m1']!.upstream.calls.length;
    for (const [token, asking] of otherLists) {
      await expect(ask(members, `limit=2&continue=${token}`, asking), token).rejects.toMatchObject({
        code: 400,
        message: 'invalid continue token: continue key is not valid',
      });
    }
    await expect(ask(members, `continue=${given}&resourceVersion=5`)).rejects.toMatchObject({
      code: 400,
      message: 'specifying resource version is not allowed when using continue',
    });
    expect(members['m1']!.upstream.calls).toHaveLength(before);
  });

  it('every changed character is noticed', () => {
    const position = { versions: new Map([['m1', '7']]), left: [{ cluster: 'm1', items: 3 }], own: 'abc' };
    const token = tokens.write(position, 'x');
    expect(tokens.read(token, 'x')).toEqual({ ...position, inconsistent: undefined });
    for (let at = 0; at < token.length; at++) {
      for (const other of ['A', '_', '=']) {
        if (token[at] === other) continue;
        const changed = token.slice(0, at) + other + token.slice(at + 1);
        expect(() => tokens.read(changed, 'x'), changed).toThrow('not valid');
      }
    }
  });

  it('hundreds of clusters fit into a URL', () => {
    const clusters = Array.from({ length: 500 }, (_, n) => `cluster-in-some-region-${n}`);
    const token = tokens.write(
      {
        versions: new Map(clusters.map((cluster, n) => [cluster, String(n * 7919 + 1e8)])),
        left: clusters.map((cluster, n) => ({ cluster, items: n })),
      },
      'x',
    );
    expect(token.length).toBeLessThan(32 * 1024);
  });

  it('expired: 410 with a token that goes on at the same place as things are now', async () => {
    const members = fleetOf(3, 4, 2);
    const { metadata } = await ask(members, 'limit=2');
    for (const member of Object.values(members)) {
      member.write([...member.names.slice(1), 'q']);
      member.compact();
    }
    const refusal = await ask(members, `limit=2&continue=${metadata.continue}`).catch((error) => error.toStatus());
    expect(refusal).toMatchObject({
      code: 410,
      reason: 'Expired',
      message: expect.stringMatching(
        /^The provided continue parameter is too old to display a consistent list result\. You can start/,
      ),
      metadata: { continue: expect.any(String) },
    });
    const again = await ask(members, `limit=4&continue=${refusal.metadata.continue}`);
    expect(again.shown).toEqual(['p0002@m1', 'q@m1', 'p0001@m2', 'p0002@m2']);
    expect(readVersion(again.metadata.resourceVersion)).toMatchObject({
      of: new Map([
        ['m1', '2'],
        ['m2', '2'],
        ['m3', '2'],
      ]),
    });
    for (const member of Object.values(members)) member.write([]);
    const rest = await ask(members, `continue=${again.metadata.continue}`);
    expect(rest.shown).toEqual(['p0003@m2', 'q@m2', 'p0001@m3', 'q@m3']);
    expect(rest.metadata.resourceVersion).toBe(again.metadata.resourceVersion);
  });

  it('expired before a cluster was begun: it is read from its start', async () => {
    const members = fleetOf(2, 3);
    const { metadata } = await ask(members, 'limit=2');
    members['m2']!.write(['a']);
    members['m2']!.compact();
    const refusal = await ask(members, `limit=2&continue=${metadata.continue}`).catch((error) => error.toStatus());
    const again = await ask(members, `limit=2&continue=${refusal.metadata.continue}`);
    expect(again.shown).toEqual(['a@m2']);
    expect(readVersion(again.metadata.resourceVersion)).toMatchObject({
      of: new Map([
        ['m1', '1'],
        ['m2', '2'],
      ]),
    });
  });
});

describe('PAGE-3, LIST-4: a cluster between two pages', () => {
  const begin = async (asking: Asking = {}) => {
    const members = fleetOf(3, 4, 2);
    const { metadata } = await ask(members, 'limit=4', asking);
    const next = (more: Asking = {}) => ask(members, `limit=4&continue=${metadata.continue}`, { ...asking, ...more });
    return { members, next };
  };

  it.each(['m1', 'm2', 'm3'])('%s is gone: 410', async (without) => {
    const { next } = await begin();
    await expect(next({ without })).rejects.toMatchObject({
      code: 410,
      message: expect.stringContaining(`"${without}"`),
    });
  });

  it.each([403, 404])('one that answers %i now: 410', async (code) => {
    const { members, next } = await begin();
    members['m2']!.instead = () => statusReply(code, 'x', 'x');
    await expect(next()).rejects.toMatchObject({ code: 410, message: expect.stringContaining('"m2"') });
  });

  it('one that has joined waits for the next list', async () => {
    const { members, next } = await begin();
    members['m9'] = new FakeMember(names(3));
    expect((await next()).shown.some((name) => name.endsWith('@m9'))).toBe(false);
  });

  it.each([
    ['object', true],
    ['object', false],
    ['Table', false],
  ] as const)('one that is unreachable is 503: %s, partial %s', async (form, partial) => {
    const { members, next } = await begin({ form, partial });
    members['m2']!.instead = silence;
    await expect(next()).rejects.toMatchObject({ code: 503, message: expect.stringContaining('"m2" did not answer') });
    members['m2']!.instead = undefined;
    expect((await next()).shown).toHaveLength(4);
  });

  it('a Table continues without it, full, with a warning', async () => {
    const { members, next } = await begin({ form: 'Table', partial: true });
    members['m2']!.instead = silence;
    const { shown, warnings, metadata } = await next();
    expect(shown).toEqual(['p0000@m3', 'p0001@m3']);
    expect(warnings).toEqual([
      '299 - "cluster \\"m2\\" is missing from the rest of this list: it did not answer in time"',
    ]);
    expect(metadata.continue).toBeUndefined();
    members['m3']!.instead = silence;
    await expect(next()).rejects.toMatchObject({ code: 503 });
  });
});

describe('RV-6: versions beside a limit', () => {
  it('Exact with a cluster that the map does not name is 410, unless it does not serve the resource', async () => {
    const members = fleetOf(2, 2);
    const { metadata } = await ask(members, 'limit=9');
    const query = `resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`;
    members['m9'] = new FakeMember(names(1));
    await expect(ask(members, query)).rejects.toMatchObject({ code: 410, message: expect.stringContaining('"m9"') });
    members['m9'].instead = () => statusReply(404, 'NotFound', 'x');
    members['m1']!.write([]);
    expect((await ask(members, query)).shown).toHaveLength(4);
    expect((await ask(members, `${query}&limit=3`)).shown).toHaveLength(3);
  });

  it('the newest that a member has is returned where it is asked for a newer one', async () => {
    const members = fleetOf(2, 2);
    const details = { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] };
    const status = { kind: 'Status', message: 'Too large resource version: 9, current: 1', reason: 'Timeout', details };
    members['m2']!.instead = () => ({ ...statusReply(504, '', ''), body: bodyOf(Buffer.from(JSON.stringify(status))) });
    await expect(ask(members, '')).rejects.toMatchObject({
      code: 504,
      reason: 'Timeout',
      message: status.message,
      details: { ...details, retryAfterSeconds: 1 },
    });
  });
});

describe('CACHE-12: the warning of a member about its list', () => {
  const stale = (cluster: string) => `299 - "${cluster} is stale"`;

  it('comes as a warning with each page that it is read for', async () => {
    const members = fleetOf(3, 3);
    const asking = { warning: 'is stale' };
    const first = await ask(members, 'limit=2', asking);
    expect(first.warnings).toEqual([stale('m1'), stale('m2')]);
    const second = await ask(members, `limit=2&continue=${first.metadata.continue}`, asking);
    expect(second.shown).toEqual(['p0002@m1', 'p0000@m2']);
    expect(second.warnings).toEqual([stale('m1'), stale('m2')]);
    const third = await ask(members, `limit=2&continue=${second.metadata.continue}`, asking);
    expect(third.warnings).toEqual([stale('m2')]);
  });

  it('also where a list goes on inconsistently', async () => {
    const members = fleetOf(3, 3);
    const first = await ask(members, 'limit=2');
    for (const member of Object.values(members)) {
      member.write(names(3));
      member.compact();
    }
    const expired: unknown = await ask(members, `limit=2&continue=${first.metadata.continue}`).catch((error) => error);
    const { continueToken } = expired as { continueToken: string };
    const next = await ask(members, `limit=2&continue=${continueToken}`, { warning: 'is stale' });
    expect(next.warnings).toEqual([stale('m1'), stale('m2')]);
  });
});

describe('PAGE-1: a page over many members', () => {
  const asked = ({ upstream }: FakeMember) => upstream.calls.map(({ path }) => /limit=(\d+)/.exec(path)?.[1]);

  it('makes none but the first few read a whole page', async () => {
    const members = fleetOf(...Array.from({ length: 100 }, () => 600));
    const { metadata, shown } = await ask(members, 'limit=500');
    expect(shown).toHaveLength(500);
    expect(metadata.remainingItemCount).toBe(59_500);
    const limits = Object.values(members).map(asked);
    expect(limits.slice(0, 4)).toEqual([['500'], ['500'], ['500'], ['500']]);
    expect(new Set(limits.slice(4).flat())).toEqual(new Set(['10']));
  });

  it('takes one request to each where all have a few', async () => {
    const members = fleetOf(...Array.from({ length: 50 }, () => 7));
    const { metadata, shown } = await ask(members, 'limit=500');
    expect({ shown: shown.length, more: metadata.continue }).toEqual({ shown: 350, more: undefined });
    expect(Object.values(members).map((member) => asked(member).length)).toEqual(Array.from({ length: 50 }, () => 1));
  });

  it('shows each object once, whatever each member has', async () => {
    const counts = Array.from({ length: 12 }, (_, index) => (index * 37) % 90);
    const all = await pages(fleetOf(...counts), 50);
    const shown = all.flatMap((page) => page.shown);
    expect(shown).toHaveLength(counts.reduce((sum, count) => sum + count, 0));
    expect(new Set(shown).size).toBe(shown.length);
    expect(all.slice(0, -1).every((page) => page.shown.length === 50)).toBe(true);
  });
});
