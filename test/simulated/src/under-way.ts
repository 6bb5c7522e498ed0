/** Requests and a watch that are under way when an agent is lost, and how each of them has to end (NAME-8, AGENT-6). */

import { until } from '@fleet/bed/until.ts';
import { type FaultyFleet, type FaultyMember, maps } from './faulty-agents.ts';
import { watchLinesOf } from './watched-lines.ts';

export interface UnderWay {
  /** What did not end within so many milliseconds, or ended otherwise. */
  ended(within: number): Promise<string[]>;
}

/** A read is 503, or 504 where a deadline of its own came first. The write may have been carried out. */
const expected: Record<string, readonly string[]> = {
  get: ['503', '504'],
  list: ['503', '504'],
  create: ['504'],
  watch: ['ended'],
};
const all = Object.keys(expected);
const timeout = 90_000;

/** `silence`: from then on the member does not answer, and nothing else shows it. */
export async function beginUnderWay<Name extends string>(
  { fleet, api }: FaultyFleet<Name>,
  { name, beside }: FaultyMember,
  silence: () => Promise<void> | void,
): Promise<UnderWay> {
  const base = `/clusters/${name}${maps}`;
  const watch = await watchLinesOf(await fleet.config(), `${base}?watch=true`);
  // Connections that are open and idle: a request that has to make one is not sent, and ends otherwise.
  await beside.delay(200);
  await Promise.all([base, base, ...Array.from({ length: 4 }, () => `${base}/who`)].map((path) => api.ask(path)));
  await beside.heal();
  await silence();
  const ends = new Map<string, string>();
  const begin = (what: string, work: Promise<string>) => {
    work.then(
      (how) => ends.set(what, how),
      (error: unknown) => ends.set(what, String(error)),
    );
  };
  const asked = async (path: string, options: { method?: string; body?: object } = {}) =>
    `${(await api.ask(path, { ...options, timeout })).code}`;
  begin('get', asked(`${base}/who`));
  begin('list', asked(base));
  begin('create', asked(base, { method: 'POST', body: { metadata: { name: 'new' } } }));
  begin('watch', drained(watch));
  const inFlight = async () => {
    const { body } = await api.ask('/metrics');
    const line = body.split('\n').find((one) => one.startsWith(`fleet_member_requests_in_flight{cluster="${name}"}`));
    return Number(line?.split(' ')[1] ?? 0);
  };
  await until('all are on their way', async () => (await inFlight()) >= 3);
  return {
    async ended(within) {
      await until('all have ended', () => ends.size === all.length, { timeout: within }).catch(() => {});
      return all
        .filter((what) => !expected[what]!.includes(ends.get(what) ?? ''))
        .map((what) => `${what}: ${ends.get(what) ?? 'does not end'}, not ${expected[what]!.join(' or ')}`);
    },
  };
}

async function drained(lines: AsyncIterable<unknown>): Promise<string> {
  try {
    for await (const _ of lines);
  } catch {
    // Cut off within a line or a chunk: an end, too.
  }
  return 'ended';
}
