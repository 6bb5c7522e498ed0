/** Requests and writes side by side, both from one seed, while things happen to members. */

import { Random } from '@fleet/differential/random.ts';
import type { SimulatedFleet } from '../fleet.ts';
import { churn } from './churn.ts';
import { compare, type Outcome } from './comparison.ts';
import type { Connection } from './connection.ts';
import type { Happening, Stopped } from './happenings.ts';
import type { Resource } from './kinds.ts';
import { compareNamed, generateNamed } from './named.ts';
import { type GeneratedRequest, generateRequest } from './requests.ts';
import { SeenVersions } from './seen-versions.ts';

export interface RunOptions {
  fleet: SimulatedFleet;
  to: Record<GeneratedRequest['as'], Connection>;
  seed: string;
  count: number;
  /** Ends when so many differences have been found. */
  most?: number;
  /** Asked for and written to; all if left out. */
  resources?: readonly Resource[];
  /** Only this request is sent, among the same writes. */
  replay?: number | undefined;
  /** Before which request what happens. */
  happenings?: ReadonlyMap<number, Happening>;
  /** Called before something happens to members that are all well, while nothing is written. */
  quiet?: () => Promise<void>;
  /** Called now and then: a long run that is broken off has shown something, too. */
  onProgress?: (sent: number, report: Report) => void;
}

export interface Report {
  same: number;
  pages: number;
  different: { number: number; why: string }[];
  incomparable: string[];
}

/** Requests between two reports of progress. */
const progressEvery = 500;

/** Requests that are under way at the same time. */
const lanes = 4;

export async function run(options: RunOptions): Promise<Report> {
  const {
    fleet,
    to,
    seed,
    count,
    most = Number.POSITIVE_INFINITY,
    resources: of,
    replay,
    happenings = new Map<number, Happening>(),
  } = options;
  const report: Report = { same: 0, pages: 0, different: [], incomparable: [] };
  const versions = new SeenVersions();
  const stopped: Stopped = new Set();
  const later: { number: number; compare: () => Promise<Outcome> }[] = [];
  const writes = new Random(`${seed}/writes`);
  let next = 0;
  let writing = Promise.resolve();
  const compareLater = async (): Promise<void> => {
    for (const { number, compare } of later.splice(0)) note(report, number, await compare());
  };
  const lane = async (): Promise<void> => {
    for (let number = next++; number < count && report.different.length < most; number = next++) {
      // One after the other, as drawn; requests wait for what was drawn before.
      const written = writing;
      const happening = happenings.get(number);
      writing = written.then(async () => {
        // As long as the members remember.
        if (happening && stopped.size === 0) await Promise.all([compareLater(), options.quiet?.()]);
        await happening?.(fleet, stopped);
        await churn(fleet, writes, { stopped, of });
      });
      await written;
      if (replay !== undefined && number !== replay) continue;
      if (number > 0 && number % progressEvery === 0) options.onProgress?.(number, report);
      const request = generateRequest(new Random(`${seed}/${number}`), versions, of);
      const outcome = await compare(to[request.as], request);
      if (outcome.is === 'incomparable' && outcome.later) later.push({ number, compare: outcome.later });
      else note(report, number, outcome);
      if (outcome.is === 'same') for (const version of outcome.versions) versions.add(collectionIn(request), version);
      const chosen = new Random(`${seed}/${number}/named`);
      if (!chosen.chance(0.5)) continue;
      const named = generateNamed(chosen, of);
      note(report, number, await compareNamed(to[named.as], named, stopped));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  await writing;
  await compareLater();
  return report;
}

function note(report: Report, number: number, outcome: Outcome): void {
  switch (outcome.is) {
    case 'same':
      report.same++;
      report.pages += outcome.pages;
      break;
    case 'different':
      report.different.push({ number, why: outcome.why });
      break;
    case 'incomparable':
      report.incomparable.push(outcome.why);
      break;
    default:
      outcome satisfies never;
  }
}

/** Whatever the view. */
const collectionIn = ({ path }: GeneratedRequest): string => path.replace(/^.*(?=\/apis?\/)/, '');
