/** What a run found. */
import type { Delta } from './compare/delta.ts';
import type { Call } from './request.ts';
import type { ToleratedRow } from './tolerance.ts';

export interface Difference {
  /** The request's number in the run; `--replay` takes it. */
  readonly number: number;
  readonly call: Call;
  readonly deltas: readonly Delta[];
  /** As each side was asked and as it answered, for reading. */
  readonly left: string;
  readonly right: string;
}

export interface Report {
  readonly seed: number | string;
  requests: number;
  invalid: number;
  watches: number;
  events: number;
  milliseconds: number;
  readonly differences: Difference[];
  readonly tolerated: Difference[];
  /** Listed, but nothing like it occurred. */
  stale: ToleratedRow[];
  /** `create 201` -> how many, by the left side's answer. */
  readonly counts: Map<string, number>;
}

export function newReport(seed: number | string): Report {
  const counters = { requests: 0, invalid: 0, watches: 0, events: 0, milliseconds: 0 };
  return { seed, ...counters, differences: [], tolerated: [], stale: [], counts: new Map() };
}

export function count(report: Report, call: Call, status: number): void {
  const key = `${call.verb} ${status}`;
  report.requests++;
  if (call.intent === 'invalid') report.invalid++;
  report.counts.set(key, (report.counts.get(key) ?? 0) + 1);
}

export function describeDifference({ number, call, deltas, left, right }: Difference): string {
  const flaw = call.flaw === undefined ? '' : ` (${call.flaw})`;
  const lines = deltas.map((delta) => `  ${delta.where}\n    left:  ${delta.left}\n    right: ${delta.right}`);
  return [`#${number} ${call.verb} ${call.resource}${flaw}`, ...lines, `  left  ${left}`, `  right ${right}`].join(
    '\n',
  );
}

export function describeReport(report: Report): string {
  const verbs = new Map<string, string[]>();
  for (const [key, number] of [...report.counts].sort()) {
    const [verb = '', status = ''] = key.split(' ');
    verbs.set(verb, [...(verbs.get(verb) ?? []), `${status}: ${number}`]);
  }
  const table = [...verbs].map(([verb, codes]) => `  ${verb.padEnd(18)}${codes.join('  ')}`);
  const share = Math.round((100 * report.invalid) / Math.max(1, report.requests));
  return [
    ...report.stale.map((row) => `listed but did not occur: ${row.line}`),
    ...table,
    `${share} % made invalid, ${report.watches} watches with ${report.events} events, ` +
      `${(report.milliseconds / 1000).toFixed(1)} s, ${report.tolerated.length} tolerated`,
    `seed ${report.seed}: ${report.requests} requests, ${report.differences.length} differences`,
  ].join('\n');
}
