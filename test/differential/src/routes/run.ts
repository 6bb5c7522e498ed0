/** Sends the same seeded requests to two servers, also to paths that Kubernetes does not have, and looks at what they changed. */

import { until } from '@fleet/bed/until.ts';
import { type Delta, deltas } from '../compare/delta.ts';
import { Connection } from '../connection.ts';
import { type Difference, newReport, type Report, count as record } from '../report.ts';
import type { Answer, Call, Request } from '../request.ts';
import type { DifferentialSide } from '../run.ts';
import type { ToleratedRow } from '../tolerance.ts';
import { plainView, type View } from '../view.ts';
import { generateRoutes } from './generate.ts';
import { clearScene, layScene } from './scene.ts';
import { changedOutside, namesInside, newRun, type State, stateOf } from './state.ts';

export interface RoutesOptions {
  readonly left: DifferentialSide;
  readonly right: DifferentialSide;
  readonly seed: number | string;
  readonly count: number;
  readonly lanes?: number;
  readonly tolerated?: readonly ToleratedRow[];
  /** Runs the lane of this request up to it, and no more. */
  readonly replay?: number;
}

export interface RoutesReport extends Report {
  /** What was made, changed or removed outside of the namespaces that the users have permissions in, on the right. */
  changed: string[];
  /** Objects within these namespaces that are on one side only. */
  unequal: Delta[];
}

interface RouteSide {
  readonly scope: string;
  readonly view: View;
  readonly connection: Connection;
  readonly ground: Connection;
}

interface Exchange {
  readonly request: Request;
  readonly answer: Answer;
}

export async function runRoutes(options: RoutesOptions): Promise<RoutesReport> {
  const { lanes = 4, seed, count, replay } = options;
  const report: RoutesReport = { ...newReport(seed), changed: [], unequal: [] };
  const started = performance.now();
  await using stack = new AsyncDisposableStack();
  const run = newRun();
  const sideOf = ({ endpoint, view = plainView, ground }: DifferentialSide, scope: string): RouteSide => {
    const connection = stack.use(new Connection(endpoint));
    return { scope, view, connection, ground: ground ? stack.use(new Connection(ground)) : connection };
  };
  const [left, right] = [sideOf(options.left, `${run}a`), sideOf(options.right, `${run}b`)];
  const sides = [left, right];
  await Promise.all(sides.map(({ ground, scope }) => layScene(ground, scope, lanes)));
  const before = await stateOf(right.ground);
  const used = new Set<ToleratedRow>();
  const selected = replay === undefined ? Array.from({ length: lanes }, (_, lane) => lane) : [replay % lanes];
  await Promise.all(
    selected.map(async (lane) => {
      let number = lane;
      for (const call of generateRoutes(seed, lane)) {
        if (number > (replay ?? count - 1)) return;
        const [one, two] = await Promise.all([exchange(left, call), exchange(right, call)]);
        record(report, call, one.answer.status);
        const found = answerDeltas(one.answer, two.answer);
        if (found.length > 0)
          classify(options, report, used, { number, call, deltas: found, left: shown(one), right: shown(two) });
        number += lanes;
      }
    }),
  );
  report.changed = changedOutside(before, await stateOf(right.ground), run);
  report.unequal = await unequalInside(left, right);
  report.stale = (options.tolerated ?? []).filter((row) => !used.has(row));
  await Promise.all(sides.map(({ ground, scope }) => clearScene(ground, scope, lanes)));
  report.milliseconds = performance.now() - started;
  return report;
}

async function exchange({ scope, view, connection }: RouteSide, call: Call): Promise<Exchange> {
  const named = (text: string) => text.replaceAll('@{scope}', scope);
  const { method, path, query, headers, body } = call.request;
  const request = view.out({
    method,
    path: named(path),
    query: query.map(([key, value]) => [key, named(value)] as const),
    headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, named(value)])),
    ...(body !== undefined && { body: named(body) }),
  });
  return { request, answer: view.back(await connection.send(request), request) };
}

/** Of a refusal; undefined where it is no Status. */
function reasonOf({ status, body }: Answer): string | undefined {
  if (status < 400) return undefined;
  try {
    const { kind, reason } = JSON.parse(body.toString()) as { kind?: string; reason?: string };
    return kind === 'Status' ? (reason ?? '') : undefined;
  } catch {
    return undefined;
  }
}

/** Code and reason: in which words, and what a permitted request returns, is compared by other suites. */
function answerDeltas(left: Answer, right: Answer): Delta[] {
  const [ours, theirs] = [reasonOf(left), reasonOf(right)];
  return [
    ...deltas('failure', left.failure, right.failure),
    ...deltas('status', left.status, right.status),
    // Go's own router answers some paths in plain text.
    ...(ours === undefined || theirs === undefined ? [] : deltas('reason', ours, theirs)),
  ];
}

function classify(options: RoutesOptions, report: Report, used: Set<ToleratedRow>, difference: Difference): void {
  const { call, deltas } = difference;
  const rows = deltas.map((delta) => options.tolerated?.find((row) => row.matches(call, delta)));
  for (const row of rows) if (row) used.add(row);
  (rows.every((row) => row !== undefined) ? report.tolerated : report.differences).push(difference);
}

/** Deletions may still be under way, and controllers make again what they made. */
async function unequalInside(left: RouteSide, right: RouteSide): Promise<Delta[]> {
  const compare = async () => {
    const [l, r]: [State, State] = await Promise.all([stateOf(left.ground), stateOf(right.ground)]);
    return deltas('inside', namesInside(l, left.scope), namesInside(r, right.scope));
  };
  const isEqual = async () => (await compare()).length === 0;
  await until('both sides hold the same', isEqual, { timeout: 5_000, every: 250 }).catch(() => {});
  return compare();
}

function shown({ request, answer }: Exchange): string {
  const { method, path, query, headers, body } = request;
  const asked = query.map(([key, value]) => `${key}=${value}`).join('&');
  const text = answer.body.toString().slice(0, 600);
  return `${method} ${path}${asked && `?${asked}`} as ${headers['impersonate-user']} ${body ?? ''}\n    ${answer.failure ?? answer.status} ${text}`;
}
