/** Sends the same seeded requests to two servers and reports where their answers differ. */
import { randomBytes } from 'node:crypto';
import { Comparer } from './compare/compare.ts';
import { Connection } from './connection.ts';
import type { Endpoint } from './endpoint.ts';
import { generate } from './generate/generator.ts';
import { clearLane, layDefinitions, layNamespace, needsDefinitions } from './ground.ts';
import { allKinds } from './kinds/all.ts';
import type { Kind } from './kinds/kind.ts';
import { type Lane, type Outcome, runCall, runWatched } from './lane.ts';
import { Memory } from './reference.ts';
import { count, type Difference, newReport, type Report } from './report.ts';
import { callsOf } from './request.ts';
import { Side } from './side.ts';
import type { ToleratedRow } from './tolerance.ts';
import { plainView, type View } from './view.ts';

export interface DifferentialSide {
  readonly endpoint: Endpoint;
  readonly view?: View;
  /** Where namespaces and definitions are made, if not at the endpoint: a view may have other names for them. */
  readonly ground?: Endpoint;
}

export interface DifferentialOptions {
  readonly left: DifferentialSide;
  readonly right: DifferentialSide;
  readonly seed: number | string;
  readonly count: number;
  /** All kinds by default. */
  readonly kinds?: readonly Kind[];
  /** The share of requests made invalid; a third by default. */
  readonly invalid?: number;
  /** No: pages are of whole lists. Where one server reports that nothing more matches and the other gives one page more. */
  readonly selectedPages?: boolean;
  /** The share of turns that are a watch with its writes; a fiftieth by default. */
  readonly watches?: number;
  /** How many namespaces are worked in at once. */
  readonly lanes?: number;
  /** Compare the text of bodies too: for a server that passes another's answers on. */
  readonly bytes?: boolean;
  readonly tolerated?: readonly ToleratedRow[];
  /** Runs the lane of this request up to it, and no more. */
  readonly replay?: number;
  readonly onOutcome?: (outcome: Outcome & { number: number }, report: Report) => void;
}

export async function runDifferential(options: DifferentialOptions): Promise<Report> {
  const report = newReport(options.seed);
  const started = performance.now();
  await using left = new Connection(options.left.endpoint);
  await using right = new Connection(options.right.endpoint);
  await using leftGround = new Connection(options.left.ground ?? options.left.endpoint);
  await using rightGround = new Connection(options.right.ground ?? options.right.endpoint);
  if ((options.kinds ?? allKinds).some(needsDefinitions))
    await Promise.all([leftGround, rightGround].map(layDefinitions));
  const run = `diff-${options.seed}-${randomBytes(2).toString('hex')}`;
  const lanes = options.lanes ?? 4;
  const used = new Set<ToleratedRow>();
  const numbers = Array.from({ length: lanes }, (_, lane) => lane);
  const selected = options.replay === undefined ? numbers : [options.replay % lanes];
  await Promise.all(
    selected.map(async (number) => {
      const scopes = { left: `${run}a`, right: `${run}b` };
      const spaces = [`${scopes.left}-${number}`, `${scopes.right}-${number}`] as const;
      await Promise.all([layNamespace(leftGround, spaces[0]), layNamespace(rightGround, spaces[1])]);
      const lane: Lane = {
        left: new Side(scopes.left, left, new Memory(scopes.left), options.left.view ?? plainView),
        right: new Side(scopes.right, right, new Memory(scopes.right), options.right.view ?? plainView),
        comparer: new Comparer(scopes, options.bytes ?? false),
      };
      await runLane(options, lane, { number, lanes }, (outcome) => record(options, report, used, outcome));
      await Promise.all([clearLane(leftGround, spaces[0]), clearLane(rightGround, spaces[1])]);
    }),
  );
  report.stale = (options.tolerated ?? []).filter((row) => !used.has(row));
  report.milliseconds = performance.now() - started;
  return report;
}

/** Requests are numbered through all lanes: lane 2 of 4 has 2, 6, 10 and so on. */
async function runLane(
  options: DifferentialOptions,
  lane: Lane,
  { number, lanes }: { number: number; lanes: number },
  record: (outcome: Outcome & { number: number }) => void,
): Promise<void> {
  const { seed, kinds = allKinds, invalid = 1 / 3, selectedPages = true, watches } = options;
  const last = options.replay ?? options.count - 1;
  let next = number;
  for (const step of generate({
    seed,
    lane: number,
    kinds,
    invalid,
    selectedPages,
    ...(watches !== undefined && { watches }),
  })) {
    if (next > last) return;
    const outcomes = step.step === 'call' ? [await runCall(lane, step)] : runWatched(lane, step);
    let at = next;
    for await (const outcome of outcomes) {
      record({ ...outcome, number: at });
      at += lanes;
    }
    next += callsOf(step).length * lanes;
  }
}

function record(
  options: DifferentialOptions,
  report: Report,
  used: Set<ToleratedRow>,
  outcome: Outcome & { number: number },
): void {
  count(report, outcome.call, outcome.status);
  if (outcome.events !== undefined) {
    report.watches++;
    report.events += outcome.events;
  }
  if (outcome.deltas.length > 0) {
    const rows = outcome.deltas.map((delta) => options.tolerated?.find((row) => row.matches(outcome.call, delta)));
    const { number, call, deltas, left, right } = outcome;
    const difference: Difference = { number, call, deltas, left: left(), right: right() };
    if (rows.every((row) => row !== undefined)) report.tolerated.push(difference);
    else report.differences.push(difference);
    for (const row of rows) if (row) used.add(row);
  }
  options.onOutcome?.(outcome, report);
}
