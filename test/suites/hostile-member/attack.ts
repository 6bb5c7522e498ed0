/** All kinds of requests at once, while a member means harm: what comes of them, what the product holds, and how others fare. */

import { readFileSync } from 'node:fs';
import type { Product } from '@fleet/bed/product.ts';
import { type LoopTimes, loopTimes } from '../event-loop.ts';
import type { Conduct } from './behaviours.ts';
import type { FakeMember } from './fake-member.ts';
import { ask, type Kind, kinds, type Outcome, oneOf, streams } from './requests.ts';

/** How often each kind of request is sent at once, and how often that is repeated. */
const atOnce = Number(process.env['HOSTILE_MEMBER_AT_ONCE'] ?? 2);
const rounds = Number(process.env['HOSTILE_MEMBER_ROUNDS'] ?? 1);
export const timeout = 120_000 + rounds * 30_000;
/** For answers that come; those of a member that is slow are not waited for. */
const patience = 30_000;
const littlePatience = 4_000;

/** Less than the default, so that the bound on memory is soon reached by what has none. */
export const objectSize = Number(process.env['HOSTILE_MEMBER_OBJECT_SIZE'] ?? 4);
export const mib = 1024 * 1024;
/** What is not counted of each answer; what all of them may take together beside it. */
const [uncounted, shared] = [2, 4 * objectSize];
/**
 * What the process takes anyway, and what is held of answers, some of it twice. The process takes 155 MiB at rest; on a machine
 * with 24 GiB, V8 leaves up to 120 MiB more uncollected after thousands of small pieces.
 */
export const mostMemory = (320 + (atOnce * 9 * uncounted + shared) * 3) * mib;

/** Of one that has died of it: more than there was. */
export function residentOf({ pid }: Product): number {
  try {
    const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? Number.POSITIVE_INFINITY : Number(kib) * 1024;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export interface Attack {
  outcomes: [kind: Kind, outcome: Outcome][];
  /** Bytes. */
  memory: number;
  /** Milliseconds that a request to the other member took at the most; its codes. */
  others: { slowest: number; codes: Set<number> };
  /** What one turn of the product's event loop took at the most, in milliseconds of CPU. */
  turn: number;
}

/** Sends all kinds of requests, several times, while the hostile member behaves so. */
export async function attackBy(
  hostile: FakeMember,
  to: Product,
  conduct: Conduct,
  upgradeAnswer?: string,
): Promise<Attack> {
  await hostile.behave(conduct, upgradeAnswer);
  const attacks: Attack[] = [];
  for (let round = 0; round < rounds; round++) {
    const outcome = await oneRound(to, isUnhurried(conduct) ? littlePatience : patience);
    attacks.push(outcome);
    if (outcome.memory > mostMemory) break;
  }
  await hostile.behave('well');
  return {
    outcomes: attacks.flatMap(({ outcomes }) => outcomes),
    memory: Math.max(...attacks.map(({ memory }) => memory)),
    others: {
      slowest: Math.max(...attacks.map(({ others }) => others.slowest)),
      codes: new Set(attacks.flatMap(({ others }) => [...others.codes])),
    },
    turn: Math.max(...attacks.map(({ turn }) => turn)),
  };
}

const isUnhurried = (conduct: Conduct): boolean => conduct === 'slow' || conduct === 'drizzling';

async function oneRound(to: Product, within: number): Promise<Attack> {
  await loopTimes(to);
  const over = new AbortController();
  let memory = 0;
  const looking = setInterval(() => {
    memory = Math.max(memory, residentOf(to));
    // Enough is known, and the machine is others', too.
    if (memory > mostMemory) over.abort();
  }, 50);
  const timer = setTimeout(() => over.abort(), within);
  const others = { slowest: 0, codes: new Set<number>() };
  const asking = (async () => {
    while (!over.signal.aborted) {
      const begun = performance.now();
      const answer = await to.api.ask(oneOf('well'), { timeout: 60_000 }).catch(() => ({ code: 0 }));
      others.codes.add(answer.code);
      others.slowest = Math.max(others.slowest, performance.now() - begun);
    }
  })();
  const all = Object.entries(kinds).flatMap(([kind, one]) =>
    Array.from({ length: atOnce }, () => ({ kind: kind as Kind, ...ask(to, one, over.signal) })),
  );
  // Streams have begun to be answered; how long they last is the member's choice.
  await Promise.all(all.map(({ kind, begun, outcome }) => (streams.has(kind) ? begun : outcome)));
  clearTimeout(timer);
  over.abort();
  const outcomes = await Promise.all(
    all.map(async ({ kind, outcome }): Promise<[Kind, Outcome]> => [kind, await outcome]),
  );
  await asking;
  clearInterval(looking);
  const loop = await loopTimes(to).catch((): LoopTimes | undefined => undefined);
  return { outcomes, memory, others, turn: loop?.work.most ?? Number.POSITIVE_INFINITY };
}

/** Those that we left before an answer came do not count. */
export const codesOf = ({ outcomes }: Attack, kind: Kind): Set<number> =>
  new Set(outcomes.flatMap(([one, { code, end }]) => (one === kind && !(end === 'left' && code === 0) ? [code] : [])));
